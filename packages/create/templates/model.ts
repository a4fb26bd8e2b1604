/** The model of this project: what `.env` and the environment name, or else a script, which needs no key and no network. */
import { LLMMetadata } from '@x/core-model'
import type { LLM } from '@x/llm'
import { ScriptedLLM, type ScriptedLLMOptions } from '@x/llm/testing'
import { OpenAI } from '@x/openai'

/** Returns the model. @param answers - what the script answers while there is no model. */
export function modelOr(answers: ScriptedLLMOptions['answers']): LLM {
  const { MODEL, MODEL_URL, OPENAI_API_KEY: apiKey } = process.env
  const isScripted = MODEL === 'none'
  if (MODEL_URL && !isScripted) return new OpenAI({ baseUrl: MODEL_URL, model: MODEL || 'qwen3' })
  if (apiKey && !isScripted) return new OpenAI({ model: MODEL || 'gpt-5-mini', apiKey })
  console.log('There is no model, so the answers are scripted. README.md says how to connect one.')
  const metadata = new LLMMetadata({ modelName: 'scripted', isChatModel: true, isFunctionCallingModel: true })
  return new ScriptedLLM({ answers, metadata, delayMs: 30, usage: true })
}
