// `node:http` and `node:https` without a module import, which reads every export. Reading `http.WebSocket`
// loads undici, which takes 35 ms of processor time at each start.

export const http = process.getBuiltinModule('node:http');
export const https = process.getBuiltinModule('node:https');
