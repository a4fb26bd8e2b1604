/** Answers of agents, complete or as a stream. */
import { AgentChatResponse, StreamingAgentChatResponse } from '@x/agents'
import { QueryResponse } from '@x/agents/protocol'
import { type Dict, ToolOutput } from '@x/core-model'
import type { Operations } from '../../case.ts'
import { type ScoredNode, scoredNodeOf } from '../../stand-ins/scored-node.ts'
import { toolOutputForm } from '../../stand-ins/tool-output.ts'

interface Source {
  content: string
  nodes?: ScoredNode[]
  raw_output?: unknown
}

/** With nodes, the raw output is a response with these nodes. */
function sourceOf({ content, nodes, raw_output }: Source): ToolOutput {
  const rawOutput = nodes ? new QueryResponse({ response: content, sourceNodes: nodes.map(scoredNodeOf) }) : raw_output
  return new ToolOutput({ content, toolName: 't', rawInput: {}, rawOutput })
}

interface Answer {
  response?: string
  sources?: Source[]
  sourceNodes?: ScoredNode[]
  streaming?: boolean
}

export const responses: Operations = {
  'AgentChatResponse.create': async ({ response, sources, sourceNodes, streaming }: Answer) => {
    const options = { response, sources: sources?.map(sourceOf), sourceNodes: sourceNodes?.map(scoredNodeOf) }
    const made = streaming
      ? new StreamingAgentChatResponse({ ...options, stream: [response ?? ''] })
      : new AgentChatResponse(options)
    if (made instanceof StreamingAgentChatResponse) await made.done
    return { response: made.response, string: String(made), source_nodes: made.sourceNodes.map(({ id }) => id) }
  },
}

/** An answer in the form of the cases; a stream is read to its end first. */
export async function answerForm(answer: AgentChatResponse): Promise<Dict> {
  if (answer instanceof StreamingAgentChatResponse) return streamForm(answer)
  const { response, sources, sourceNodes } = answer
  return { response, sources: sources.map(toolOutputForm), source_nodes: sourceNodes.map(({ id }) => id) }
}

async function streamForm(answer: StreamingAgentChatResponse): Promise<Dict> {
  let text = ''
  try {
    for await (const piece of answer) text += piece
    await answer.done
  } catch (error) {
    return { stream_error: error instanceof Error ? error.message : String(error) }
  }
  const { response, sources } = answer
  return { stream_text: text.trim(), response, sources: sources.map(({ content }) => content) }
}
