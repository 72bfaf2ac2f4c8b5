// Lets fixpoint call a webhook that is a handler of Node's http (Express, Koa's callback(), plain) as a process.
// Require it first: from then on console.log writes to standard error, and standard output has the answers alone.
"use strict";

const http = require("node:http");
const readline = require("node:readline");

console.log = console.info = console.debug = console.error;

/** Answers each AdmissionReview on a line of standard input with one on a line of standard output. */
exports.speak = function speak(handler, path = "/") {
  const server = http.createServer(handler);
  const agent = new http.Agent({ keepAlive: true });
  const ask = (body) => new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const { port } = server.address();
    const request = http.request({ host: "127.0.0.1", port, path, method: "POST", headers, agent }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part)).on("error", reject);
      response.on("end", () => resolve(Buffer.concat(parts).toString().replace(/[\r\n]+/g, " ")));
    });
    request.on("error", reject).end(body);
  });
  server.listen(0, "127.0.0.1", async () => {
    for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity }))
      process.stdout.write((await ask(line)) + "\n");
    agent.destroy();
    server.close();
  });
};
