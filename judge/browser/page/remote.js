// The judge on a server, for a round against a bot that plays there: the same requests and replies
// as of the judge in the page.
import { Failure, Refusal } from "./judge.js";
import { t } from "./words.js";

export class Remote {
  #address;

  // `address` takes the requests.
  constructor(address) {
    this.#address = address;
  }

  // As `Judge.ask`. Fails with the judge's reason when it is not done.
  async ask(request) {
    let done = await this.#send(request);
    // It takes longer than an answer may: the bot's reply is in the state once there is one.
    while (done.thinking) done = await this.#send({ do: "state" });
    return done;
  }

  // Nothing is thought over in the page.
  stop() {}

  async #send(request) {
    const response = await fetch(this.#address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
    });
    if (!response.ok) throw new Failure(reasons[response.status] ?? t("the server says {0}", response.status));
    const reply = await response.json();
    if (reply.refused !== undefined) throw new Refusal(reply.refused);
    return reply.done;
  }
}

const reasons = {
  401: t("you are not signed in"),
  404: t("there is no such bot"),
  429: t("too many requests; wait a few seconds"),
};
