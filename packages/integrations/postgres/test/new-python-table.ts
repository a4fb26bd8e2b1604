import type { PostgresDatabase } from '../src/index.ts'

/** Returns the statement that makes the table of a `PGVectorStore`, as its version 0.1 does with hybrid search. */
export function newPythonTable({ tables }: PostgresDatabase, name: string, dimension: number): string {
  return `create table ${tables.quotedSchema}."data_${name}" (
    id bigserial primary key, text varchar not null, metadata_ json, node_id varchar, embedding vector(${dimension}),
    text_search_tsv tsvector generated always as (to_tsvector('english', text)) stored)`
}
