/**
 * @module
 * The Python program of `--prove-with`.
 */

/**
 * Loads a storage folder, and prints what it contains as one line of JSON. Its arguments are the folder and the number of neighbors. It uses
 * only what all releases from 0.10 to 0.14 have.
 */
export const script = `
import json, os, sys
from llama_index.core import __version__
from llama_index.core.schema import MetadataMode
from llama_index.core.storage.chat_store import SimpleChatStore
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import VectorStoreQuery

folder, top = sys.argv[1], int(sys.argv[2])

def text_of(node):
    resource = getattr(node, "text_resource", None)
    if hasattr(node, "text_resource"):
        return (resource.text if resource else None) or ""
    return node.text

def read(node):
    modes = [MetadataMode.ALL, MetadataMode.EMBED, MetadataMode.LLM, MetadataMode.NONE]
    is_shown = hasattr(node, "text_resource")
    return {
        "id": node.node_id,
        "text": text_of(node),
        "metadata": node.get_metadata_str(MetadataMode.ALL),
        "contents": None if is_shown else [node.get_content(mode) for mode in modes],
        "hash": node.hash,
    }

store = SimpleDocumentStore.from_persist_path(os.path.join(folder, "docstore.json"))
nodes = [read(node) for node in store.docs.values()]

chats = {}
path = os.path.join(folder, "chat_store.json")
if os.path.exists(path):
    chat_store = SimpleChatStore.from_persist_path(path)
    for key in chat_store.get_keys():
        chats[key] = [message.content or "" for message in chat_store.get_messages(key)]

vectors = SimpleVectorStore.from_persist_path(os.path.join(folder, "default__vector_store.json"))
answer = []
embeddings = vectors.data.embedding_dict
if embeddings:
    query = VectorStoreQuery(query_embedding=next(iter(embeddings.values())), similarity_top_k=top)
    result = vectors.query(query)
    answer = list(zip(result.ids, [float(score) for score in result.similarities]))

print(json.dumps({"version": __version__, "nodes": nodes, "chats": chats, "answer": answer}))
`
