/**
 * @module
 * The chats of a user in a chat store.
 */
import { checkGiven, checkOption, type OptionCheck, required, text, wholeNumber } from '@x/core/options'
import {
  type ChatList,
  type ChatListOptions,
  ChatMessage,
  type ChatStore,
  type ListedChat,
  type MessageContent,
  messageText,
  type Turn,
} from '@x/core-model'
import { sha256 } from '@x/core-model/data'
import { turnsIn } from '@x/core-model/memory'

/**
 * Returns the key of a chat in the chat store: different for each user and chat, whatever characters their ids contain.
 * @example
 * chatKey('ann', '1').length // => 64
 */
export function chatKey(user: string, id: string): string {
  if (typeof user !== 'string' || typeof id !== 'string') checkGiven('chatKey', { user, id }, text)
  return sha256(JSON.stringify([user, id]))
}

/**
 * Returns the messages of a chat as models receive them: those of all turns, also of one that runs, waits, or was interrupted. A message
 * that no agent has accepted is replaced by a sentence that says so; {@link loadTurns} is for pages.
 * @param chatStore - the one of the route
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 *
 * await loadChat(new SimpleChatStore(), 'ann', '1') // => []
 */
export async function loadChat(chatStore: ChatStore, user: string, id: string): Promise<ChatMessage[]> {
  checkOption('loadChat', 'chatStore', chatStore, required('a chat store', 'getMessages'))
  return chatStore.getMessages(chatKey(user, id))
}

/** Returns the turns of a chat, the oldest first, with the ids of their messages: for functions that load a page. */
export async function loadTurns(chatStore: ChatStore, user: string, id: string): Promise<Turn[]> {
  checkOption('loadTurns', 'chatStore', chatStore, required('a chat store', 'getMessages'))
  return turnsIn(chatStore).read(chatKey(user, id))
}

/** The chats of a user, for a page that lists them. */
export interface UserChats {
  /**
   * Returns the chats, the latest one first. A page of them ends where `before` is the time of its last chat.
   * @throws {ModelValidationError} if an option is neither an integer of at least 0 nor infinity, such as NaN of an address.
   */
  list(options?: ChatListOptions): Promise<ListedChat[]>
  /** Adds a chat, or sets its time, as the route does with each message. Returns whether the chat is new: otherwise it keeps its title. */
  put(chat: ListedChat): Promise<boolean>
  /** Replaces the title of a chat. @throws {ModelValidationError} if it is not a string of at most 1,000 characters. */
  setTitle(id: string, title: string): Promise<void>
  /** Deletes a chat: its messages, its turns and its entry in the list. What the tasks have stored stays in their stores. */
  delete(id: string): Promise<void>
}

/**
 * Returns the chats of a user, which the route adds with their first message.
 * @param chatStore - the one of the route
 * @example
 * import { SimpleChatStore } from '@x/core-model'
 *
 * const chats = chatsOf(new SimpleChatStore(), 'ann')
 * await chats.put({ id: '1', title: 'Capital of France?', at: 0 }) // => true
 * await chats.setTitle('1', 'France')
 * await chats.list() // => [{ id: '1', title: 'France', at: 0 }]
 */
export function chatsOf(chatStore: ChatStore, user: string): UserChats {
  checkOption('chatsOf', 'chatStore', chatStore, required('a chat store', 'getMessages'))
  const chats = chatStore.chats ?? new ChatsAsMessages(chatStore)
  const key = (id: string) => chatKey(user, id)
  return {
    list: async ({ limit = 100, before = Number.POSITIVE_INFINITY } = {}) => {
      checkGiven('chatsOf.list', { limit, before }, wholeNumber(0, 'or infinity'))
      // Databases have no infinite integers.
      const most = Number.MAX_SAFE_INTEGER
      return chats.list(user, { limit: Math.min(limit, most), before: Math.min(before, most) })
    },
    put: async (chat) => chats.put(key(chat.id), user, chat),
    setTitle: async (id, title) => {
      checkGiven('chatsOf.setTitle', { title }, aTitle)
      return chats.setTitle(key(id), user, title)
    },
    delete: async (id) => chats.delete(key(id), user),
  }
}

const aTitle: OptionCheck = (value) =>
  typeof value === 'string' && value.length <= 1000 ? undefined : 'a string of at most 1,000 characters'

/** The maximum number of characters of a title that is made of a message. */
const TITLE_LENGTH = 80

/** Returns the title of a chat that begins with a message: its words, or the beginning of them; empty for a message without text. */
export function titleOf(content: MessageContent): string {
  const words = [...messageText({ content }).slice(0, 1000).trim().replace(/\s+/g, ' ')]
  return words.length <= TITLE_LENGTH
    ? words.join('')
    : `${words
        .slice(0, TITLE_LENGTH - 1)
        .join('')
        .trimEnd()}…`
}

interface Entry extends ListedChat {
  key: string
}

/** The last change of each store in this process: they run one after the other. */
const changes = new WeakMap<ChatStore, Promise<unknown>>()

/** The lists of a chat store that knows messages only: a list is messages under a key of its owner. */
class ChatsAsMessages implements ChatList {
  private readonly chatStore: ChatStore

  constructor(chatStore: ChatStore) {
    this.chatStore = chatStore
  }

  put(key: string, owner: string, chat: ListedChat): Promise<boolean> {
    return this.change(owner, (entries) => {
      const others = entries.filter((entry) => entry.key !== key)
      const known = entries.find((entry) => entry.key === key)
      const at = Math.max(chat.at, (others.at(-1)?.at ?? Number.NEGATIVE_INFINITY) + 1)
      return [[...others, { ...chat, ...known, key, at }], known === undefined]
    })
  }

  async list(owner: string, { limit, before }: Required<ChatListOptions>) {
    const entries = (await this.entries(listKey(owner))).filter(({ at }) => at < before)
    return entries
      .reverse()
      .slice(0, limit)
      .map(({ id, title, at }) => ({ id, title, at }))
  }

  setTitle(key: string, owner: string, title: string): Promise<void> {
    return this.change(owner, (entries) => [
      entries.map((entry) => (entry.key === key ? { ...entry, title } : entry)),
      undefined,
    ])
  }

  async delete(key: string, owner: string): Promise<void> {
    // The marks of turns contain the beginnings of messages.
    await turnsIn(this.chatStore).begin(key, undefined, () => [])
    await this.chatStore.deleteMessages(key)
    await this.change(owner, (entries) => [entries.filter((entry) => entry.key !== key), undefined])
  }

  /** Returns the entries of a list, the latest one last. */
  private async entries(list: string): Promise<Entry[]> {
    const messages = await this.chatStore.getMessages(list)
    return messages.map(({ content }) => JSON.parse(String(content)))
  }

  private change<T>(owner: string, work: (entries: Entry[]) => [Entry[], T]): Promise<T> {
    const { chatStore } = this
    const list = listKey(owner)
    const next = (changes.get(chatStore) ?? Promise.resolve()).then(async () => {
      const [entries, result] = work(await this.entries(list))
      const content = (entry: Entry) => JSON.stringify(entry)
      const messages = entries.map((entry) => new ChatMessage({ role: 'system', content: content(entry) }))
      await chatStore.setMessages(list, messages)
      return result
    })
    changes.set(
      chatStore,
      next.catch(() => {}),
    )
    return next
  }
}

const listKey = (owner: string): string => `${sha256(JSON.stringify([owner]))}.chats`
