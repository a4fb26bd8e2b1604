/**
 * @module
 * Chooses the model: the configured server, otherwise the stand-in.
 */
import type { LLM } from '@x/core-model'
import type { ServerOptions } from '../arguments.ts'
import { StandInModel } from '../stand-in/stand-in-model.ts'
import { OpenAiModel } from './open-ai-model.ts'

/** A model, and its name for the report. */
export interface ChosenModel {
  llm: LLM
  name: string
  isStandIn: boolean
}

export function chooseModel(server: ServerOptions | null, apiKey: string | undefined): ChosenModel {
  const llm = server === null ? new StandInModel() : new OpenAiModel({ ...server, apiKey })
  return { llm, name: llm.metadata.modelName, isStandIn: server === null }
}
