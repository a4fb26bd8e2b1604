// @module-tag system
import * as pinned from '@huggingface/transformers'
import * as lowest from '@huggingface/transformers-lowest'
import { afterAll, describe, expect, it } from 'vitest'
import './model-folder.ts'
import { modelChecks } from './model-checks.ts'
import { ModelFolder } from './model-folder.ts'

const folder = new ModelFolder()
afterAll(() => folder.remove())

const { wasm } = lowest.env.backends.onnx
if (wasm) wasm.wasmPaths = undefined

describe.each([
  ['4.3.1', pinned],
  ['4.0.0', lowest],
])('transformers.js %s', (version, library) => {
  it('is that version', () => {
    expect(library.env.version).toBe(version)
  })

  it.each(Object.entries(modelChecks))('%s', async (_, check) => {
    await check({ library: async () => library }, folder.next(), library)
  })
})
