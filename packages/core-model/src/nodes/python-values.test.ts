import { readFileSync } from 'node:fs'
import { readJsonText, writeJsonText } from '@x/core'
import { describe, expect, it } from 'vitest'
import { strip } from './strip.ts'
import { TextNode } from './text-node.ts'
import { valueText } from './value-text.ts'

/** What Python 3.11 returns for random metadata and text; only with characters that no version of Unicode has changed. */
interface Sample {
  /** The result of `json.dumps(metadata)`. */
  json: string
  text: string
  /** `str(metadata)`. */
  repr: string
  /** `text.strip()`. */
  stripped: string
  /** SHA-256 of `text + str(metadata)`. */
  hash: string
}

const samples: Sample[] = JSON.parse(readFileSync(new URL('../../test/python-values.json', import.meta.url), 'utf8'))

describe('metadata that Python wrote', () => {
  it('has the text and the hash that it has in Python', () => {
    expect(samples).toHaveLength(60)
    for (const { json, text, repr, stripped, hash } of samples) {
      const node = TextNode.fromJson(`{"text": ${JSON.stringify(text)}, "metadata": ${json}}`)
      expect(valueText(node.metadata)).toBe(repr)
      expect(node.hash).toBe(hash)
      expect(strip(text)).toBe(stripped)
    }
  })

  it('is read by both readers, and written so that it reads the same', () => {
    for (const { json } of samples) {
      const data = readJsonText(json)
      expect(readJsonText(`[${json}, NaN]`, { nonFinite: true })).toEqual([data, Number.NaN])
      expect(readJsonText(writeJsonText(data))).toEqual(data)
      expect(writeJsonText(readJsonText(writeJsonText(data)))).toBe(writeJsonText(data))
    }
  })
})
