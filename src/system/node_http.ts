// `node:http` and `node:https` without the view of a module that an import makes. That view reads every
// member, and `http.WebSocket` loads undici, which takes 35 ms of processor time at each start.

export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
