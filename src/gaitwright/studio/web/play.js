// Playback of a turn, and its time slider.
import { byId, icon, number } from "./dom.js";

// Icons are drawn, because not every font has these characters.
const SIGNS = { Play: "M6 3.500v13l10.500-6.500z", Pause: "M5 3.500h3.500v13H5zM11.500 3.500H15v13h-3.500z" };

export class Player {
  constructor(model) {
    Object.assign(this, { model, bar: byId("time"), button: byId("play"), clock: byId("clock") });
    this.button.addEventListener("click", () => this.toggle());
    this.bar.addEventListener("input", () => { this.stop(); model.goTo(Number(this.bar.value)); });
    this.sign("Play");
    model.on("picture state", () => this.update());
  }

  update() {
    const { picture } = this.model, period = picture?.period || null;
    this.bar.disabled = this.button.disabled = !period;
    this.button.title = period ? "Play (Space)" : "There is nothing to play: give a link a drive";
    if (period) {
      this.bar.max = period;
      if (document.activeElement !== this.bar || this.model.playing) this.bar.value = this.model.time;
    } else if (this.model.playing) this.stop();
    this.clock.textContent = `${number(this.model.time, 3)} s`;
    this.bar.setAttribute("aria-valuetext", `${number(this.model.time, 3)} seconds`);
  }

  toggle() { if (this.model.playing) this.stop(); else this.play(); }

  async play() {
    const film = await this.model.getFilm().catch((error) => { this.model.fail(error); return null; });
    if (!film?.period) return;
    this.model.playing = true;
    this.sign("Pause");
    let last = null;
    const step = (now) => {
      if (!this.model.playing) return;
      const { film: current } = this.model;
      if (current?.period && !this.model.dragging) {
        const end = current.time[current.time.length - 1] || current.period, slow = Math.max(1, 1.2 / current.period);
        const time = (this.model.time + (last === null ? 0 : (now - last) / 1000 / slow)) % end;
        let frame = 0;
        while (frame + 1 < current.time.length && current.time[frame + 1] <= time) frame++;
        Object.assign(this.model, { time, frame, picture: current });
        this.model.tell("picture");
      }
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  stop() {
    this.model.playing = false;
    this.sign("Play");
  }

  sign(what) {
    this.button.replaceChildren(icon(SIGNS[what]));
    this.button.setAttribute("aria-label", what);
  }
}
