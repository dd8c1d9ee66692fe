// Tables of messages, and their handlers.

import type { Schema, ValueOf } from './codec.ts';

export type Messages = Readonly<
  Record<string, { readonly request: Schema; readonly answer: Schema }>
>;
export type MessageRequest<M extends Messages, Name extends keyof M> = ValueOf<M[Name]['request']>;
export type MessageAnswer<M extends Messages, Name extends keyof M> = ValueOf<M[Name]['answer']>;

/** One function per message; its errors are returned as answers. */
export type Handlers<M extends Messages> = {
  readonly [Name in keyof M]: (
    request: MessageRequest<M, Name>,
  ) => MessageAnswer<M, Name> | Promise<MessageAnswer<M, Name>>;
};

/** Returns handlers that forward to `made`, which is created after the link. */
export function handlersOf<M extends Messages>(messages: M, made: () => Handlers<M>): Handlers<M>;
export function handlersOf(messages: Messages, made: () => Handlers<Messages>): Handlers<Messages> {
  const names = Object.keys(messages);
  return Object.fromEntries(names.map((name) => [name, (request) => made()[name]?.(request)]));
}

/** A line for the operator. Never a secret. */
export type LinkLog = (
  level: 'info' | 'warn' | 'error',
  message: string,
  fields: Readonly<Record<string, string | number>>,
) => void;
