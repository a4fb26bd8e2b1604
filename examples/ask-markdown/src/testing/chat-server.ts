/**
 * @module
 * A local server with the OpenAI chat API and prepared answers, for tests.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that the server received. */
export interface ChatRequest {
  path: string
  authorization: string | undefined
  model: string
  stream: boolean
  messages: { role: string; content: string }[]
}

/** Answers a request: returns the text of the model, or writes the response itself and returns undefined. */
export type Answerer = (
  request: ChatRequest,
  response: ServerResponse,
) => string | undefined | Promise<string | undefined>

/** A running server. */
export interface ChatServer {
  baseUrl: string
  requests: ChatRequest[]
}

/** Starts a server that is stopped when the test ends. */
export async function chatServer(answer: Answerer): Promise<ChatServer> {
  const requests: ChatRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming)
    requests.push(request)
    const text = await answer(request, response)
    if (text === undefined) return
    if (!request.stream) {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content: text } }] }))
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    for (const content of text.match(/.{1,7}/gs) ?? [])
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
    response.end('data: [DONE]\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

async function readRequest(incoming: IncomingMessage): Promise<ChatRequest> {
  let body = ''
  for await (const chunk of incoming.setEncoding('utf8')) body += chunk
  return { path: incoming.url ?? '', authorization: incoming.headers.authorization, ...JSON.parse(body) }
}
