/**
 * @module
 * The model that answers: one on a server when it is configured, else the stand-in.
 */
import type { LLM } from '@x/core-model'
import type { ServerOptions } from '../arguments.ts'
import { StandInModel } from '../stand-in/stand-in-model.ts'
import { OpenAiModel } from './open-ai-model.ts'

/** A model and what the user is told of it. */
export interface ChosenModel {
  llm: LLM
  name: string
  isStandIn: boolean
}

export function chooseModel(server: ServerOptions | null, apiKey: string | undefined): ChosenModel {
  const llm = server === null ? new StandInModel() : new OpenAiModel({ ...server, apiKey })
  return { llm, name: llm.metadata.modelName, isStandIn: server === null }
}
