/**
 * @module
 * Folders for the models of a test file.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from '@huggingface/transformers'

/** A folder that is removed when a test file ends. */
export class ModelFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'x-models-'))
  private count = 0

  /** Returns a new path for a model. */
  next(): string {
    this.count += 1
    return join(this.path, String(this.count))
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

const { wasm } = env.backends.onnx
if (wasm) wasm.wasmPaths = undefined
