/** What the processes of an application share, in files of a folder. */
import { createHash, randomUUID } from 'node:crypto'
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ChatMessage, type ChatStore } from '@x/core-model'
import type { TaskEventLog, TaskEvents } from '@x/durable'
import { FileTaskStore } from '@x/storage/node'

const nameOf = (key: string) => createHash('sha256').update(key).digest('hex')

class FileChatStore implements ChatStore {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async setMessages(key: string, messages: readonly ChatMessage[]): Promise<void> {
    // Others never see half of a file.
    const part = join(this.folder, randomUUID())
    await writeFile(part, JSON.stringify(messages.map((message) => message.toDict())))
    await rename(part, join(this.folder, nameOf(key)))
  }

  async getMessages(key: string): Promise<ChatMessage[]> {
    const content = await readFile(join(this.folder, nameOf(key)), 'utf8').catch(() => '[]')
    return JSON.parse(content).map((message: unknown) => ChatMessage.fromDict(message))
  }

  async addMessage(key: string, message: ChatMessage): Promise<void> {
    await this.setMessages(key, [...(await this.getMessages(key)), message])
  }

  async deleteMessages(key: string): Promise<ChatMessage[]> {
    const messages = await this.getMessages(key)
    await this.setMessages(key, [])
    return messages
  }
}

class FileEventLog implements TaskEventLog {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  async addEvents(taskId: string, record: TaskEvents): Promise<void> {
    await appendFile(join(this.folder, nameOf(taskId)), `${JSON.stringify(record)}\n`)
  }

  async readEvents(taskId: string, from: number): Promise<TaskEvents[]> {
    const content = await readFile(join(this.folder, nameOf(taskId)), 'utf8').catch(() => '')
    // A line that is being written has no end.
    return content
      .split('\n')
      .slice(from, -1)
      .map((line) => JSON.parse(line))
  }
}

/** Opens the stores in a folder. */
export async function sharedFiles(folder: string) {
  const [tasks, chats, events] = ['tasks', 'chats', 'events'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [tasks, chats, events]) await mkdir(path, { recursive: true })
  return {
    store: new FileTaskStore(tasks),
    chatStore: new FileChatStore(chats),
    events: new FileEventLog(events),
    pollingIntervalMs: 20,
  }
}
