import { estimateTokens, ToolOutput } from '@x/core-model'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clipOutput, clipText } from './clip-text.ts'

const words = (count: number) => Array.from({ length: count }, (_, i) => `w${i}`).join(' ')

describe('clipText', () => {
  it('keeps the beginning and the end, and states how much is omitted', () => {
    const text = words(3000)
    const clipped = clipText(text, 100)
    expect(clipped.startsWith('w0 w1 w2 ')).toBe(true)
    expect(clipped.endsWith(' w2999')).toBe(true)
    expect(clipped).toContain(
      `\n[… about ${estimateTokens(text) - 100} of ${estimateTokens(text)} tokens left out …]\n`,
    )
    expect(estimateTokens(clipped)).toBeLessThanOrEqual(100)
    expect(estimateTokens(clipped)).toBeGreaterThan(90)
  })

  it('returns a string that fits unchanged', () => {
    expect(clipText(words(10), 100)).toBe(words(10))
    expect(clipText('a b c', 3, (text) => text.split(' '))).toBe('a b c')
  })

  it('never has more tokens than the limit, wherever the text has them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constant('!'.repeat(200)), fc.constant('a'.repeat(999)))),
        fc.nat(300),
        (parts, most) => {
          const text = parts.join(' ')
          expect(estimateTokens(clipText(text, most))).toBeLessThanOrEqual(most)
        },
      ),
    )
  })

  it('never cuts a character in half', () => {
    for (let length = 20; length < 60; length++) expect(clipText('😀'.repeat(length), 9)).not.toMatch(/\p{Surrogate}/u)
  })
})

describe('clipOutput', () => {
  it('shortens the text for the model, and keeps the raw output', () => {
    const output = new ToolOutput({ toolName: 't', content: words(3000), rawOutput: words(3000) })
    const clipped = clipOutput(output, 50)
    expect(estimateTokens(clipped.content)).toBeLessThanOrEqual(50)
    expect(clipped.rawOutput).toBe(output.rawOutput)
    expect(clipOutput(output, 100_000)).toBe(output)
  })

  it('shortens the text parts together, and keeps images', () => {
    const image = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
    const text = { type: 'text' as const, text: words(1000) }
    const { parts } = clipOutput(ToolOutput.fromParts({ toolName: 't', parts: [text, image, text] }), 100)
    expect(parts![1]).toEqual(image)
    const tokens = parts!.map((part) => (part.type === 'text' ? estimateTokens(part.text) : 0))
    expect(tokens[0]! + tokens[2]!).toBeLessThanOrEqual(100)
  })
})
