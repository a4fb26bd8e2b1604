/**
 * @module
 * Checks that every supported version and runtime of the library must pass. Run by the tests with the pinned and the lowest version, and by
 * `npm run transformers-native` with both versions as users install them.
 */
import { deepEqual, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  type LocalModelOptions,
  TransformersCrossEncoder,
  TransformersEmbedding,
  type TransformersLibrary,
  TransformersNer,
} from '@x/transformers'
import { writeCrossEncoderModel, writeEmbeddingModel, writeEntityModel } from './tiny-models/tiny-models.ts'
import { byteLevel, sentencePiece, wordPiece } from './tiny-models/tokenizers.ts'

/** A library whose settings a check changes. */
export interface CheckedLibrary extends TransformersLibrary {
  env: { remoteHost: string }
}

type Check = (options: Pick<LocalModelOptions, 'library'>, folder: string, library: CheckedLibrary) => Promise<void>

const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 100) / 100)
const vectors = { dog: [4, 3], cat: [0, 1] }
const labels = { Bob: 'B-PER', Smith: 'I-PER', Paris: 'B-LOC' }

/** The checks by name. Each receives a separate folder. */
export const modelChecks: Readonly<Record<string, Check>> = {
  async 'embeds texts of different lengths, beyond the window too'(options, folder) {
    const path = writeEmbeddingModel(folder, { vectors })
    const embedding = new TransformersEmbedding({ modelName: 'tiny', path, ...options })
    const embeddings = await embedding.getTextEmbeddingBatch(['dog', '', 'cat dog', 'cat '.repeat(900)])
    deepEqual(embeddings.map(rounded), [
      [0.8, 0.6],
      [0, 0],
      [0.71, 0.71],
      [0, 1],
    ])
    await embedding.dispose()
    deepEqual(rounded(await embedding.getQueryEmbedding('cat')), [0, 1])
    await embedding.dispose()
  },

  async 'scores pairs, beyond the window too'(options, folder) {
    const path = writeCrossEncoderModel(folder, { words: ['red', 'apple', 'pear'] })
    const crossEncoder = new TransformersCrossEncoder({ modelName: 'tiny', path, activation: 'identity', ...options })
    const pairs = ['pear', 'apple', `${'pear '.repeat(900)}red apple`].map((text) => ['red apple', text] as const)
    deepEqual(await crossEncoder.predict(pairs), [-1, 0, 1])
    await crossEncoder.dispose()
  },

  async 'finds entities with tokenizers of all families'(options, folder) {
    const text = `Bob Smith, Zoé 🎉 Bob ${'x '.repeat(600)}Paris`
    const tokenizers = [
      wordPiece([...Object.keys(labels), 'x', ',']),
      sentencePiece(['▁Bob', '▁Smith', '▁Paris', '▁x', '▁', ',']),
      byteLevel([
        ['B', 'o'],
        ['Bo', 'b'],
        ['Ġ', 'Bob'],
        ['i', 't'],
        ['S', 'm'],
        ['Sm', 'it'],
        ['Smit', 'h'],
        ['Ġ', 'Smith'],
        ['P', 'a'],
        ['r', 'i'],
        ['Pa', 'ri'],
        ['Pari', 's'],
        ['Ġ', 'Paris'],
      ]),
    ]
    for (const [index, tokenizer] of tokenizers.entries()) {
      const known = Object.entries(labels).flatMap(([word, label]) => [
        [word, label],
        [`▁${word}`, label],
        [`Ġ${word}`, label],
      ])
      const path = writeEntityModel(join(folder, String(index)), { labels: Object.fromEntries(known), tokenizer })
      const names = new TransformersNer({ modelName: 'tiny', path, ...options })
      const entities = await names.recognize(text)
      deepEqual(
        entities.map(({ word, start }) => [word, start]),
        [
          ['Bob Smith', 0],
          ['Bob', 18],
          ['Paris', text.length - 5],
        ],
      )
      await names.dispose()
    }
  },

  async 'requests no model from a server, unless downloads are allowed'(options, folder, { env }) {
    const requests: string[] = []
    const server = createServer((request, response) => {
      requests.push(request.url!)
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { remoteHost } = env
    env.remoteHost = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const ask = (allowRemoteModels: boolean, cacheDir?: string) =>
        new TransformersEmbedding({
          modelName: 'tiny/absent',
          allowRemoteModels,
          cacheDir,
          ...options,
        }).getTextEmbedding('a')
      await rejects(ask(false), { kind: 'bad_request' })
      await rejects(ask(false, folder), { kind: 'bad_request' })
      deepEqual(requests, [])
      await rejects(ask(true, folder), { kind: 'bad_request', message: /Could not locate/ })
      deepEqual(requests.length > 0, true)
    } finally {
      env.remoteHost = remoteHost
      server.close()
      server.closeAllConnections()
    }
  },

  async 'fails for an unknown device and for weights that do not exist'(options, folder) {
    const path = writeEmbeddingModel(folder, { vectors })
    const embed = (other: Partial<LocalModelOptions>) =>
      new TransformersEmbedding({ modelName: 'tiny', path, ...other, ...options }).getTextEmbedding('a')
    await rejects(embed({ device: 'abacus' }), { code: 'model_call', kind: 'bad_request' })
    await rejects(embed({ dtype: 'q4' }), { code: 'model_call', kind: 'bad_request' })
  },
}
