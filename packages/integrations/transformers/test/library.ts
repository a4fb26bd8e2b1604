/**
 * @module
 * The library for the tests. In Node it comes with a WebAssembly runtime here instead of the native one, see
 * docs/decisions/0050-transformers.md. That one looks for its files on the web unless an option says otherwise.
 */
import { env } from '@huggingface/transformers'

const { wasm } = env.backends.onnx
if (wasm) wasm.wasmPaths = undefined
