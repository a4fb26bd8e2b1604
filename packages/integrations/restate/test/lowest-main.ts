/** Runs a task that waits for an approval, in every mode, and prints the version of the SDK. */
import * as restate from '@restatedev/restate-sdk'
import sdk from '@restatedev/restate-sdk/package.json' with { type: 'json' }
import { registerServices, startRestate } from '../../../../tools/restate-server.ts'
import { agentConversation, agentSteps, agentWorkflow } from '../src/index.ts'
import { attach, call, serve } from './endpoint.ts'
import { agentOf, calls, scripted, tools } from './scripted.ts'

const server = await startRestate()
const agent = () => agentOf(scripted(calls(['a', 'pay', { to: 'Ann' }]), 'Done.'), [tools().pay])
const message = agentWorkflow({ restate, name: 'message', agent: agentOf(scripted('Hello.')) })
const endpoint = await serve([
  agentWorkflow({ restate, name: 'workflow', agent: agent() }),
  agentSteps({ restate, name: 'steps', agent: agent() }),
  message,
  agentConversation({ restate, name: 'chat', workflow: message }),
])
try {
  await registerServices(server, endpoint.uri)
  await call(server, 'workflow/1/run/send', 'Go!')
  await call(server, 'steps/1/start', 'Go!')
  for (const service of ['workflow', 'steps']) {
    for (;;) {
      const { state } = await call<{ state: string }>(server, `${service}/1/status`)
      if (state === 'waiting') break
    }
    await call(server, `${service}/1/decide`, { callId: 'a', type: 'approve' })
  }
  const answers = [attach(server, 'workflow/1'), call(server, 'steps/1/answer'), call(server, 'chat/1/chat', 'Hi.')]
  const texts = (await Promise.all(answers)).map((answer) => (answer as { response: string }).response)
  process.stdout.write(`${sdk.version}: ${texts.join(' ')}\n`)
} finally {
  endpoint.close()
  await server.stop()
}
