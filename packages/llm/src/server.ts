/**
 * @module
 * The server of a model, for adapters over `fetch`. Entry `@x/llm/server`.
 */
export { END, ModelServer, type ModelServerOptions, type ServerData, serverOptions } from './server/model-server.ts'
