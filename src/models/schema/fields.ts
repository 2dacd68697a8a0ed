import { z } from 'zod';
import type { ConversationId, MemberId, MessageId, TurnId } from '../ids.js';

/** An id is a string; its kind exists for the compiler only, which is why it has to be told. */
function idOf<Id extends string>(): z.ZodType<Id> {
  return z.string() as unknown as z.ZodType<Id>;
}

export const conversationId = idOf<ConversationId>();
export const memberId = idOf<MemberId>();
export const messageId = idOf<MessageId>();
export const turnId = idOf<TurnId>();
export const text = z.string();
export const number = z.number();
export const boolean = z.boolean();

type Shape = z.ZodRawShape;
type Shapes = Readonly<Record<string, Shape>>;

/** The fields of a shape, read-only. */
export type Fields<Described extends Shape> = Readonly<z.output<z.ZodObject<Described>>>;

/** The variants of a table of shapes that have these names: the name is in the field `Tag`, `Common` in all of them. */
export type Variant<
  Tag extends string,
  Described extends Shapes,
  Name extends keyof Described = keyof Described,
  Common extends Shape = NoShape,
> = Name extends string
  ? Fields<Described[Name] & Common & Readonly<Record<Tag, z.ZodLiteral<Name>>>>
  : never;

/** Adds no fields. */
type NoShape = Readonly<Record<never, never>>;

export function arrayOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly();
}

/** An object with these fields. Others may be there as well: a later version may have added them. */
export function record<Described extends Shape>(shape: Described): z.ZodType<Fields<Described>> {
  // zod types fields as writable; what it checks is the same.
  return z.object(shape) as unknown as z.ZodType<Fields<Described>>;
}

/** An object for each shape, with its name in the field `tag`; `common` is in all of them. */
export function variantsOf(tag: string, shapes: Shapes, common: Shape = {}): readonly z.ZodObject[] {
  return Object.entries(shapes).map(([name, shape]) =>
    z.object({ [tag]: z.literal(name), ...shape, ...common }),
  );
}

/** A union of objects, told apart by the field `tag`. */
export function oneOf<Tag extends string, Described extends Shapes, Common extends Shape = NoShape>(
  tag: Tag,
  shapes: Described,
  common?: Common,
): z.ZodType<Variant<Tag, Described, keyof Described, Common>> {
  return unite(tag, variantsOf(tag, shapes, common)) as z.ZodType<
    Variant<Tag, Described, keyof Described, Common>
  >;
}

/** The union of objects that differ in the field `tag`. Its type is for the caller to say: zod wants a tuple to know it. */
export function unite(tag: string, options: readonly z.ZodType[]): z.ZodType {
  return z.discriminatedUnion(tag, options as unknown as [z.ZodObject]);
}
