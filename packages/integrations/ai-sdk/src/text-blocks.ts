/** A part of a stream of the AI SDK that belongs to a block of text or reasoning. */
export type TextBlockPart =
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }

/** Converts pieces of text and reasoning to blocks of a stream, one open block at a time. */
export class TextBlocks {
  private open: { type: 'text' | 'reasoning'; id: string } | null = null
  private count = 0

  /** Returns the parts for a piece; the first piece after a block of the other type begins a new block. */
  add(type: 'text' | 'reasoning', delta: string): TextBlockPart[] {
    if (this.open?.type === type) return [{ type: `${type}-delta`, id: this.open.id, delta }]
    const ended = this.end()
    const id = `${type}-${this.count++}`
    this.open = { type, id }
    return [...ended, { type: `${type}-start`, id }, { type: `${type}-delta`, id, delta }]
  }

  /** Returns the part that ends the open block, or nothing. */
  end(): TextBlockPart[] {
    const { open } = this
    this.open = null
    return open ? [{ type: `${open.type}-end`, id: open.id }] : []
  }
}
