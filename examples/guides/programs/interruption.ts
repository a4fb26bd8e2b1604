import { FunctionCallingAgent } from '@x/agents'
import type { BaseLLM } from '@x/core-model'
import { generateText, type LanguageModel, type ModelMessage, streamText } from 'ai'

/** A user interrupts the answer, as in a call, and the next answer knows what was heard. */
export async function interruption(llm: BaseLLM, questions: readonly [string, string], heardEnough: number) {
  const talk = FunctionCallingAgent.fromTools({ llm }).conversation()
  let heard = 0
  for await (const event of talk.runEvents(questions[0]))
    if (event.type === 'text_delta' && (heard += event.delta.length) >= heardEnough) break
  return (await talk.chat(questions[1])).response
}

export async function withTheAiSdk(model: LanguageModel, questions: readonly [string, string], heardEnough: number) {
  const messages: ModelMessage[] = [{ role: 'user', content: questions[0] }]
  const stop = new AbortController()
  let heard = ''
  const { textStream } = streamText({ model, messages, abortSignal: stop.signal, onError: () => {} })
  for await (const piece of textStream) if ((heard += piece).length >= heardEnough) stop.abort()
  messages.push({ role: 'assistant', content: `${heard} [interrupted]` }, { role: 'user', content: questions[1] })
  return (await generateText({ model, messages })).text
}
