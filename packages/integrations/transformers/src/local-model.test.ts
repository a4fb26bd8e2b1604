import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { env } from '@huggingface/transformers'
import { isToolkitError } from '@x/core-model'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import '../test/model-folder.ts'
import { ModelFolder } from '../test/model-folder.ts'
import { ScriptedLibrary } from '../test/scripted-library.ts'
import { writeEmbeddingModel } from '../test/tiny-models/tiny-models.ts'
import type { LoadProgress } from './local-model-options.ts'
import { TransformersEmbedding, type TransformersEmbeddingOptions } from './transformers-embedding.ts'

const folder = new ModelFolder()
const vectors = { dog: [4, 3], cat: [0, 1] }
const path = writeEmbeddingModel(folder.next(), { vectors })
const made = (options: Partial<TransformersEmbeddingOptions> = {}) =>
  new TransformersEmbedding({ modelName: 'tiny/animals', path, ...options })

let hub: Server | undefined
const remoteHost = env.remoteHost
afterEach(() => {
  hub?.close()
  hub = undefined
  env.remoteHost = remoteHost
})
afterAll(() => folder.remove())

/** Starts a hub that answers every request with a status, or with the files of the model. */
async function startHub(answer: (file: string) => { status: number; body?: Uint8Array }): Promise<string[]> {
  const requests: string[] = []
  hub = createServer((request, response) => {
    requests.push(request.url!)
    const { status, body } = answer(request.url!.replace(/^.*\/resolve\/[^/]+\//, ''))
    response
      .writeHead(status, { 'content-length': body?.length ?? 0 })
      .end(request.method === 'HEAD' ? undefined : body)
  })
  await new Promise<void>((resolve) => hub!.listen(0, '127.0.0.1', resolve))
  env.remoteHost = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`
  return requests
}

async function errorOf(work: Promise<unknown>) {
  const thrown = await work.catch((error: unknown) => error)
  if (!isToolkitError(thrown, 'model_call')) throw thrown
  return thrown
}

describe('where a model comes from', () => {
  it('is only this machine, unless downloads are allowed', async () => {
    const requests = await startHub(() => ({ status: 500 }))
    const error = await errorOf(made({ path: undefined, cacheDir: folder.next() }).getTextEmbedding('dog'))
    expect(error).toMatchObject({ kind: 'bad_request', retryable: false })
    expect(error.message).toMatch(
      /^TransformersEmbedding tiny\/animals: the model cannot be loaded; pass path, or allowRemoteModels: true: ./,
    )
    expect(requests).toEqual([])
  })

  it('is the hub, once per cache folder', async () => {
    const requests = await startHub((file) => {
      try {
        return { status: 200, body: readFileSync(join(path, file)) }
      } catch {
        return { status: 404 }
      }
    })
    const cacheDir = folder.next()
    const progress: LoadProgress[] = []
    const options = { path: undefined, allowRemoteModels: true, cacheDir, revision: 'v1' }
    const embedding = made({ ...options, onProgress: (each) => progress.push(each) })
    expect(await embedding.getTextEmbedding('cat')).toEqual([0, 1])
    expect(requests).toContain('/tiny/animals/resolve/v1/onnx/model.onnx')
    expect(progress.find(({ status, file }) => status === 'done' && file === 'onnx/model.onnx')).toBeDefined()
    requests.length = 0
    // The library remembers which files exist: another name, and a folder that is not its default one.
    const moved = folder.next()
    cpSync(join(cacheDir, 'tiny', 'animals'), join(moved, 'tiny', 'moved'), { recursive: true })
    for (const place of [moved, relative('.', moved)]) {
      const cached = made({ ...options, modelName: 'tiny/moved', cacheDir: place, allowRemoteModels: false })
      expect(await cached.getTextEmbedding('cat')).toEqual([0, 1])
    }
    expect(requests).toEqual([])
  })

  it.each([
    [401, 'auth', false],
    [403, 'auth', false],
    [404, 'bad_request', false],
    [429, 'rate_limit', true],
    [503, 'overloaded', true],
  ])('fails for the status %s of the hub with the kind %s', async (status, kind, retryable) => {
    await startHub(() => ({ status }))
    const options = { path: undefined, allowRemoteModels: true, cacheDir: folder.next() }
    const error = await errorOf(made(options).getTextEmbedding('dog'))
    expect(error).toMatchObject({ kind, retryable })
  })

  it('fails for a hub that cannot be reached with the kind connection', async () => {
    env.remoteHost = 'http://127.0.0.1:9'
    const options = { path: undefined, allowRemoteModels: true, cacheDir: folder.next() }
    expect(await errorOf(made(options).getTextEmbedding('dog'))).toMatchObject({ kind: 'connection', retryable: true })
  })

  it('releases a model whose tokenizer cannot be loaded', async () => {
    const library = new ScriptedLibrary()
    const withoutTokenizer = async () => ({
      ...(await library.import()),
      AutoTokenizer: { from_pretrained: () => Promise.reject(new Error('no tokenizer')) },
    })
    await errorOf(made({ library: withoutTokenizer }).getTextEmbedding('dog'))
    expect(library.disposed).toBe(1)
  })

  it('does not change the settings of the library', async () => {
    const before = JSON.stringify(env)
    await made({ allowRemoteModels: true, cacheDir: folder.next() }).getTextEmbedding('dog')
    expect(JSON.stringify(env)).toBe(before)
  })

  it.each([
    ['a folder without a model', () => folder.next(), {}, 'bad_request'],
    ['a different type of weights', () => path, { dtype: 'q4' as const }, 'bad_request'],
    [
      'a folder without a tokenizer',
      () => {
        const broken = writeEmbeddingModel(folder.next(), { vectors })
        rmSync(join(broken, 'tokenizer_config.json'))
        return broken
      },
      {},
      'bad_request',
    ],
    ['an unknown device', () => path, { device: 'abacus' }, 'bad_request'],
    [
      'a broken model file',
      () => {
        const broken = writeEmbeddingModel(folder.next(), { vectors })
        writeFileSync(join(broken, 'onnx', 'model.onnx'), 'not a model')
        return broken
      },
      {},
      'bad_response',
    ],
    [
      'a broken configuration',
      () => {
        const broken = writeEmbeddingModel(folder.next(), { vectors })
        writeFileSync(join(broken, 'config.json'), '{')
        return broken
      },
      {},
      'bad_response',
    ],
  ])('fails for %s with a typed error', async (_, place, options, kind) => {
    const error = await errorOf(made({ path: place(), ...options }).getTextEmbedding('dog'))
    expect(error).toMatchObject({ kind, cause: expect.any(Error) })
  })

  it('throws an error that states how to install the library when it cannot be imported', async () => {
    const library = async () => import('not-installed' as string)
    await expect(made({ library }).getTextEmbedding('dog')).rejects.toMatchObject({
      code: 'missing_dependency',
      message: expect.stringContaining('ONNXRUNTIME_NODE_INSTALL=skip npm install @huggingface/transformers'),
    })
  })

  it('refuses a type of weights that does not exist', () => {
    expect(() => made({ dtype: 'fp7' as 'fp32' })).toThrow('TransformersEmbedding tiny/animals: unknown dtype fp7')
  })

  it('is the folder in path, which may be relative', async () => {
    const library = new ScriptedLibrary()
    for (const each of ['models/tiny', './models/tiny', '../tiny', '/models/tiny', 'C:\\tiny', '\\\\share\\tiny'])
      await made({ library: library.import, path: each }).getTextEmbedding('a')
    expect(library.loads.map(({ name }) => name)).toEqual([
      './models/tiny',
      './models/tiny',
      '../tiny',
      '/models/tiny',
      'C:\\tiny',
      '\\\\share\\tiny',
    ])
  })

  it('passes its options on, and always the type of weights', async () => {
    const library = new ScriptedLibrary()
    await made({ library: library.import, device: 'webgpu' }).getTextEmbedding('a')
    expect(library.loads).toEqual([
      { name: path, options: expect.objectContaining({ local_files_only: true, dtype: 'fp32', device: 'webgpu' }) },
    ])
  })
})

describe('the number of tokens that a model reads', () => {
  it.each([
    ['the tokenizer says', 16, {}, 16],
    ['the model says', 1e30, { max_position_embeddings: 20 }, 20],
    ['both say', 16, { max_position_embeddings: 20 }, 16],
    [
      'the model says, without the positions before the first',
      514,
      { model_type: 'xlm-roberta', max_position_embeddings: 20, pad_token_id: 1 },
      18,
    ],
    ['nobody says', 1e30, {}, 512],
  ])('is what %s', async (_, maxLength, config, expected) => {
    const library = new ScriptedLibrary({ maxLength, config })
    await made({ library: library.import, maxBatchTokens: 1 }).getTextEmbedding('a '.repeat(600))
    expect(Math.max(...library.runs.flat().map((row) => row.length))).toBe(expected)
  })
})

/** Returns a promise that resolves on request. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

describe('concurrent calls', () => {
  it('share one load and run one after another', async () => {
    let running = 0
    let most = 0
    const library = new ScriptedLibrary({
      run: async (rows) => {
        most = Math.max(most, ++running)
        await null
        running--
        return { dims: [rows.length, 1], values: rows.map(() => 1) }
      },
    })
    const embedding = made({ library: library.import })
    await Promise.all(['a', 'b', 'c'].map((text) => embedding.getTextEmbedding(text)))
    expect([library.loads.length, library.runs.length, most]).toEqual([1, 3, 1])
  })

  it('load the model again after a failed load', async () => {
    let loads = 0
    const load = async () => {
      if (++loads === 1) throw new TypeError('fetch failed')
    }
    const embedding = made({ library: new ScriptedLibrary({ load }).import })
    const [first, second] = await Promise.allSettled(['a', 'b'].map((text) => embedding.getTextEmbedding(text)))
    expect([first?.status, second?.status, loads]).toEqual(['rejected', 'rejected', 1])
    expect(await embedding.getTextEmbedding('a')).toEqual([1])
  })

  it('continue after a failed run', async () => {
    let runs = 0
    const run = async (rows: number[][]) => {
      if (++runs === 1) throw new Error('out of memory')
      return { dims: [rows.length, 1], values: rows.map(() => 1) }
    }
    const embedding = made({ library: new ScriptedLibrary({ run }).import })
    const error = await errorOf(embedding.getTextEmbedding('a'))
    expect(error).toMatchObject({
      kind: 'bad_response',
      message: expect.stringContaining('the model failed: out of memory'),
    })
    expect(await embedding.getTextEmbedding('a')).toEqual([1])
  })
})

describe('an abort', () => {
  const reason = new Error('enough')

  it('prevents the load', async () => {
    const library = new ScriptedLibrary()
    const signal = AbortSignal.abort(reason)
    await expect(made({ library: library.import }).getTextEmbedding('a', { signal })).rejects.toBe(reason)
    expect(library.loads).toEqual([])
  })

  it('rejects during the load, which continues for other calls', async () => {
    const { open, opened } = gate()
    const library = new ScriptedLibrary({ load: () => opened })
    const embedding = made({ library: library.import })
    const controller = new AbortController()
    const aborted = embedding.getTextEmbedding('a', { signal: controller.signal })
    const other = embedding.getTextEmbedding('b')
    controller.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    open()
    expect(await other).toEqual([1])
    expect([library.loads.length, library.runs.length]).toEqual([1, 1])
  })

  it('rejects during a run, and starts no further one', async () => {
    const controller = new AbortController()
    const library = new ScriptedLibrary({
      run: async (rows) => {
        controller.abort(reason)
        return { dims: [rows.length, 1], values: rows.map(() => 1) }
      },
    })
    const embedding = made({ library: library.import, maxBatchTokens: 1 })
    const { signal } = controller
    await expect(embedding.getTextEmbeddingBatch(['a', 'b', 'c'], { signal })).rejects.toBe(reason)
    await embedding.dispose()
    expect(library.runs.length).toBe(1)
  })

  it('removes a call that waits for its turn', async () => {
    const { open, opened } = gate()
    const library = new ScriptedLibrary({
      run: async (rows) => {
        await opened
        return { dims: [rows.length, 1], values: rows.map(() => 1) }
      },
    })
    const embedding = made({ library: library.import })
    const controller = new AbortController()
    const first = embedding.getTextEmbedding('a')
    const waiting = embedding.getTextEmbedding('b', { signal: controller.signal })
    while (library.runs.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    open()
    await first
    await embedding.dispose()
    expect(library.runs.length).toBe(1)
  })
})

describe('dispose', () => {
  it('waits for the calls in progress, and a later call loads the model again', async () => {
    const { open, opened } = gate()
    const library = new ScriptedLibrary({
      run: async (rows) => {
        await opened
        return { dims: [rows.length, 1], values: rows.map(() => 1) }
      },
    })
    const embedding = made({ library: library.import })
    const call = embedding.getTextEmbedding('a')
    while (library.runs.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const disposed = embedding.dispose()
    expect(library.disposed).toBe(0)
    open()
    expect(await call).toEqual([1])
    await disposed
    expect(library.disposed).toBe(1)
    expect(await embedding.getTextEmbedding('a')).toEqual([1])
    expect(library.loads.length).toBe(2)
  })

  it('does nothing before a load and after a failed load', async () => {
    const load = () => Promise.reject(new Error('no'))
    const embedding = made({ library: new ScriptedLibrary({ load }).import })
    await embedding.dispose()
    await embedding.getTextEmbedding('a').catch(() => {})
    await embedding.dispose()
  })

  it('releases a real model, which can be loaded again', async () => {
    const embedding = made()
    for (let round = 0; round < 3; round++) {
      expect(await embedding.getTextEmbedding('cat')).toEqual([0, 1])
      await embedding.dispose()
    }
  })
})
