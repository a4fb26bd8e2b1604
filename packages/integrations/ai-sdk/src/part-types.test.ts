import { readFileSync } from 'node:fs'
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { AiSdkReader } from './answer.ts'
import type { AiSdkPart } from './model-types.ts'

/** What becomes of a part: a part of the message, data about the answer, or nothing. A type that is new here does not compile. */
const known: Record<
  LanguageModelV4Content['type'] | LanguageModelV4StreamPart['type'],
  'message' | 'answer' | 'nothing'
> = {
  text: 'message',
  'text-start': 'message',
  'text-delta': 'message',
  'text-end': 'message',
  reasoning: 'message',
  'reasoning-start': 'message',
  'reasoning-delta': 'message',
  'reasoning-end': 'message',
  'reasoning-file': 'message',
  file: 'message',
  source: 'message',
  custom: 'message',
  'tool-input-start': 'message',
  'tool-input-delta': 'message',
  'tool-input-end': 'nothing',
  'tool-call': 'message',
  'tool-result': 'message',
  'tool-approval-request': 'nothing',
  'stream-start': 'nothing',
  'response-metadata': 'nothing',
  raw: 'nothing',
  ping: 'nothing',
  error: 'answer',
  finish: 'answer',
}

/** The parts of type `custom` of the newest providers, and whether they are part of the message. */
const kinds: Record<string, boolean> = {
  'anthropic.container_upload': true,
  'anthropic.fallback': true,
  'anthropic.message_start': false,
  'google.processing_call': true,
  'google.processing_result': true,
  'openai.compaction': true,
}

const part = (type: string): AiSdkPart => ({
  type,
  id: 'i',
  text: 'T',
  delta: 'T',
  toolCallId: 'c',
  toolName: 'pay',
  input: '{}',
  data: 'AAAA',
  mediaType: 'image/png',
  error: new Error('broken'),
  finishReason: 'stop',
})

describe('parts of the newest specification', () => {
  it.each(Object.entries(known))('of type %s become: %s', (type, expected) => {
    const reader = new AiSdkReader()
    let isThrown = false
    try {
      reader.addPiece(part(type))
    } catch {
      isThrown = true
    }
    const { message } = reader.answer.response()
    const { content, additionalKwargs, parts } = message
    const isMessage = content !== '' || parts !== null || Object.keys(additionalKwargs).length > 0
    const isAnswer = isThrown || reader.answer.finishReason !== null
    expect(isMessage ? 'message' : isAnswer ? 'answer' : 'nothing').toBe(expected)
  })

  it.each(['anthropic', 'google', 'openai'])('of type custom are known for %s', (provider) => {
    const source = readFileSync(new URL(`../node_modules/@ai-sdk/${provider}/dist/index.js`, import.meta.url), 'utf8')
    const found = new Set([...source.matchAll(/ind: "([a-z]+\.[a-z_]+)"/gi)].map(([, kind]) => kind!))
    expect([...found].sort()).toEqual(
      Object.keys(kinds)
        .filter((kind) => kind.startsWith(`${provider}.`))
        .sort(),
    )
  })

  it.each(Object.entries(kinds))('%s is part of the message: %s', (kind, isMessage) => {
    const reader = new AiSdkReader()
    reader.addPiece({ ...part('custom'), kind })
    expect(reader.answer.response().message.parts !== null).toBe(isMessage)
  })
})
