/** A server on standard input and output, started by the tests. */
import { Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { serveTools } from '../src/serve-tools.ts'
import { fruitTools } from './fruit-tools.ts'

serveStdio(() => {
  const server = new Server({ name: 'fruit', version: '1.0.0' }, { capabilities: { tools: { listChanged: true } } })
  serveTools(
    server,
    fruitTools(() => console.error('aborted')),
  )
  return server
})
