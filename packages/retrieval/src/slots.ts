/**
 * @module
 * Limits how much work is done at the same time.
 */

/** A number of slots. Work waits for a free one, in the order of the calls. */
export class Slots {
  private free: number
  private readonly count: number
  private readonly waiting: (() => void)[] = []

  constructor(count: number) {
    this.count = count
    this.free = count
  }

  /** Whether nobody has a slot. */
  get areFree(): boolean {
    return this.free === this.count
  }

  async take(): Promise<void> {
    if (this.free > 0) this.free--
    else await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  release(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.free++
  }
}
