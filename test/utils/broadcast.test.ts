import { expect, test } from 'vitest';
import { createBroadcast } from '../../src/utils/broadcast.js';

const ignore = () => undefined;

test('every listener hears every event, in order', () => {
  const { send, subscribe } = createBroadcast<number>(ignore);
  const heard: string[] = [];
  subscribe((event) => heard.push(`a${event}`));
  subscribe((event) => heard.push(`b${event}`));
  send(1, 2);
  expect(heard).toEqual(['a1', 'b1', 'a2', 'b2']);
});

test('what a listener sends comes after what was being sent', () => {
  const { send, subscribe } = createBroadcast<number>(ignore);
  const heard: number[] = [];
  subscribe((event) => {
    if (event === 1) send(3);
  });
  subscribe((event) => heard.push(event));
  send(1, 2);
  expect(heard).toEqual([1, 2, 3]);
});

test('what a listener throws is reported, and the others still hear', () => {
  const errors: unknown[] = [];
  const { send, subscribe } = createBroadcast<number>((error) => errors.push(error));
  const heard: number[] = [];
  subscribe(() => {
    throw 'broken';
  });
  subscribe((event) => heard.push(event));
  send(1);
  send(2);
  expect(heard).toEqual([1, 2]);
  expect(errors).toEqual(['broken', 'broken']);
});

test('the same function can be subscribed twice, and one subscription ended', () => {
  const { send, subscribe } = createBroadcast<number>(ignore);
  const heard: number[] = [];
  const listener = (event: number) => heard.push(event);
  const leave = subscribe(listener);
  subscribe(listener);
  send(1);
  leave();
  send(2);
  expect(heard).toEqual([1, 1, 2]);
});
