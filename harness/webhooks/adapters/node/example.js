// An example of a webhook in Node: it has the same bug as the ones in ../go and ../python.
const { speak } = require("./adapter"); // first: what is printed from now on goes to standard error

function webhook(request, response) {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const review = JSON.parse(Buffer.concat(parts));
    const patch = [{ op: "add", path: "/spec/containers/-", value: { name: "proxy", image: "proxy:1" } }];
    const answer = {
      apiVersion: review.apiVersion,
      kind: "AdmissionReview",
      response: {
        uid: review.request.uid,
        allowed: true,
        patchType: "JSONPatch",
        patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
      },
    };
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer));
  });
}

speak(webhook, "/mutate");
