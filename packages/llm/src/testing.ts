/**
 * @module
 * Test doubles: models, and those of `@x/core-model/testing`. Entry `@x/llm/testing`.
 */
export * from '@x/core-model/testing'
export {
  type ScriptedAnswer,
  ScriptedLLM,
  type ScriptedLLMOptions,
  type ScriptedPiece,
} from './testing/scripted-llm.ts'
export { TableEmbedding } from './testing/table-embedding.ts'
