/** The page: sends what the user says, and shows the answer as it is written. With React, Vue or Svelte, `useChat` does all of this. */

const main = /** @type {HTMLElement} */ (document.querySelector('main'))
const form = /** @type {HTMLFormElement} */ (document.querySelector('form'))
const id = crypto.randomUUID()
/** What the user said; the server has the answers. @type {object[]} */
const messages = []

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem('question'))
  const question = input.value
  input.value = ''
  messages.push({ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: question }] })
  show('user').textContent = question
  const line = show('assistant')
  // A chat has one answer at a time.
  form.inert = true
  try {
    await answer(line)
  } catch (error) {
    line.append(String(error))
  }
  form.inert = false
  input.focus()
})

/** Adds a line of the conversation. @param {'user' | 'assistant'} role */
function show(role) {
  const line = document.createElement('p')
  line.className = role
  main.append(line)
  return line
}

/** Sends the messages, and writes the answer into a line. @param {HTMLElement} line */
async function answer(line) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch('/api/chat', { method: 'POST', headers, body: JSON.stringify({ id, messages }) })
  if (!response.ok || !response.body) throw new Error(await response.text())
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const events = (rest + piece.value).split('\n\n')
    rest = events.pop() ?? ''
    for (const data of events.map((text) => text.replace('data: ', ''))) {
      if (data === '[DONE]') continue
      const chunk = JSON.parse(data)
      if (chunk.type === 'tool-input-available') line.append(`${chunk.toolName}(${JSON.stringify(chunk.input)}) `)
      if (chunk.type === 'text-delta') line.append(chunk.delta)
      if (chunk.type === 'error') line.append(chunk.errorText)
    }
  }
}
