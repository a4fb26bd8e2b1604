import { AnswerBuilder, type CallOptions, type ChatMessage, LLMMetadata } from '@x/core-model'
import { ChatLLM } from '@x/llm'
import { expect, it } from 'vitest'
import { FunctionCallingAgent } from '../agent/function-calling-agent.ts'
import { eventsOf, streaming, toolLoop } from '../loop.ts'

const source = { url: 'https://a.example/pears', title: 'Pears' }

/** A model that cites a source. */
class Citing extends ChatLLM {
  readonly metadata = new LLMMetadata({ isChatModel: true, isFunctionCallingModel: true })
  protected override async chatRequest(_messages: readonly ChatMessage[], _options: CallOptions) {
    const answer = new AnswerBuilder()
    answer.addText('Pears are green.')
    answer.addPart({ type: 'source', source })
    answer.finish('stop')
    return answer.response({ stream: true })
  }
  protected override async *streamChatRequest(messages: readonly ChatMessage[], options: CallOptions) {
    yield await this.chatRequest(messages, options)
  }
}

it('sources that the model cites are events, in steps that stream or not', async () => {
  for (const layers of [[], [streaming()]]) {
    const found = []
    for await (const event of eventsOf(toolLoop({ llm: new Citing(), layers }), 'Colour?'))
      if (event.type === 'source') found.push(event.source)
    expect(found).toEqual([source])
  }
})

it('so are those of an agent, whose answer has a text', async () => {
  const agent = FunctionCallingAgent.fromTools({ llm: new Citing(), tools: [] })
  const found = []
  for await (const event of agent.runEvents('Colour?')) if (event.type === 'source') found.push(event)
  expect(found).toMatchObject([{ source, taskId: expect.any(String) }])
  const answer = await agent.chat('Colour?')
  expect([answer.text, answer.response]).toEqual(['Pears are green.', 'Pears are green.'])
})
