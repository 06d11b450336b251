// Connection to the server: requests with replies, and news.
const RETRY = [300, 700, 1500, 3000];
const FAILED = { 1009: "a message to the studio was too long; shorten the text" }; // closed by the library without a reason
const OURS = 4000; // codes from here on are those of server/websocket.py, with a reason

export class Line extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    this.waiting = new Map();
    this.next = 1;
    this.tries = 0;
    this.open();
  }

  open() {
    this.socket = new WebSocket(this.address);
    this.socket.addEventListener("open", () => { this.tries = 0; this.tell("open"); });
    this.socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
    this.socket.addEventListener("close", (event) => this.closed(event));
  }

  tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  heard(message) {
    if (message.id === undefined) { this.tell(message.news, message); return; }
    if (message.id === null) { this.tell("unanswered", new Error(message.error)); return; }
    const asked = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (!asked) return;
    if (message.error !== undefined) {
      const error = new Error(message.error);
      error.kind = message.kind;
      error.detail = message;
      asked.reject(error);
    } else asked.resolve(message.answer);
  }

  closed(event) {
    for (const asked of this.waiting.values()) asked.reject(Object.assign(new Error("the studio does not answer"), { kind: "gone" }));
    this.waiting.clear();
    if (this.finished) return;
    const reason = event.code >= OURS ? event.reason : FAILED[event.code];
    if (reason) { this.tell("failed", { reason }); return; } // it would fail again: the user decides
    this.tell("gone", event);
    setTimeout(() => this.open(), RETRY[Math.min(this.tries, RETRY.length - 1)]);
    this.tries += 1;
  }

  ask(what, values = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(Object.assign(new Error("the studio does not answer"), { kind: "gone" }));
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ id, do: what, ...values }));
    });
  }

  end() { this.finished = true; this.socket.close(); }
}

// Throttle for a stream of requests (a drag): one request is pending, and only the newest one is sent next. `taken` processes a reply
// before the next request is sent, `answered` shows it while the server works on that.
export class Newest {
  constructor(ask, answered, failed, taken = () => {}) { Object.assign(this, { ask, answered, failed, taken, busy: null, wish: null }); }

  send(values) {
    this.wish = values;
    if (!this.busy) this.busy = this.pump();
    return this.busy;
  }

  async pump() {
    let next = this.begin();
    while (next) {
      const { wish, reply } = next;
      next = null;
      try {
        const answer = await reply;
        if (answer) this.taken(answer, wish);
        next = this.begin();
        if (answer) this.answered(answer, wish);
      } catch (error) {
        this.failed(error);
      }
      next ||= this.begin();
    }
    this.busy = null;
  }

  begin() {
    if (!this.wish) return null;
    const { wish } = this;
    this.wish = null;
    const reply = Promise.resolve().then(() => this.ask(wish));
    reply.catch(() => {}); // awaited later
    return { wish, reply };
  }

  forget() { this.wish = null; }
  async settled() { while (this.busy) await this.busy; }
}
