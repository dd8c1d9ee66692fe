module keywright.invalid/log_examiner

go 1.26.0

require golang.org/x/mod v0.43.0
