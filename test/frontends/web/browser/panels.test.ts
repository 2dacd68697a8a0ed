import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Locator } from './driver.js';
import { describeInBrowser } from './inBrowser.js';
import { Visitor } from './Visitor.js';
import { createScene, WebServer } from './WebServer.js';

describeInBrowser('the panels', (browser) => {
  test('members say who works and who waits, and Ask puts a name into the field', async () => {
    const machine = await createScene();
    const kim = await Visitor.enter(browser, await WebServer.start(machine));
    await kim.begin();
    await openPanel(kim, 'Members');
    const states = panelOf(kim).locator('.member-state');
    await kim.say('[NEXT: ann, bob] scene:hold');
    await states.getByText(/^working · \d+ s/u).waitFor();
    await states.getByText('queued, next').waitFor();
    machine.write('go', '');
    await kim.reads('bob goes on.');
    await panelOf(kim).getByRole('button', { name: 'Ask bob', exact: true }).click();
    await kim.hasTyped('@bob ');
    await panelOf(kim).locator('.member-facts').getByText('can edit files').last().waitFor();
    expect(await panelOf(kim).locator('.member-facts').allInnerTexts()).toEqual([
      expect.stringMatching(/can edit files.*the last 20 messages/su),
      expect.stringMatching(/can edit files.*the last 20 messages/su),
    ]);
    expect(kim.faults).toEqual([]);
  });

  test('why shows the very bytes of a turn, and leads to the turns around it and back', async () => {
    const kim = await Visitor.enter(browser, await WebServer.start(await createScene()));
    await kim.begin();
    for (const turn of [1, 2]) {
      await kim.say(`@ann scene:hello number ${turn}`);
      await kim.reads(`turn-${turn}`);
    }
    await openPanel(kim, 'Why');
    const panel = panelOf(kim);
    await panel.getByText('turn-2 · ann').waitFor();
    await panel.getByText('verified: exactly what was sent').waitFor();
    await panel.locator('summary', { hasText: /^Prompt$/u }).click();
    const prompt = await panel.locator('.long-text pre').innerText();
    const hash = createHash('sha256').update('\0').update(prompt).digest('hex');
    expect(await panel.locator('.exactness code').innerText()).toBe(`sha256 ${hash}`);
    await panel.locator('summary', { hasText: 'What is new since turn-1' }).click();
    await panel
      .locator('.patch-row.add')
      .getByText(/number 2/u)
      .waitFor();
    await panel.getByRole('link', { name: 'Previous turn: turn-1', exact: true }).click();
    await panel.getByText('turn-1 · ann').waitFor();
    expect(new URL(kim.page.url()).pathname).toMatch(/\/why\/turn-1$/u);
    // The link is gone, the focus is not.
    expect(await kim.page.evaluate(() => document.activeElement?.closest('[data-region]') !== null)).toBe(
      true,
    );
    await kim.page.goBack();
    await panel.getByText('turn-2 · ann').waitFor();
    expect(kim.faults).toEqual([]);
  });

  test('changes show lines with marked words; an undo shows its plan, and then puts the files back', async () => {
    const machine = await createScene();
    const file = join(machine.project, 'src', 'server.ts');
    machine.write('src/server.ts', 'export async function upload(request: Request): Promise<string> {\n}\n');
    const kim = await Visitor.enter(browser, await WebServer.start(machine));
    await kim.begin();
    await kim.say('@ann scene:reply reply=plan');
    await kim.reads('turn-1');
    await openPanel(kim, 'Changes');
    const panel = panelOf(kim);
    await panel.locator('.changes-total').getByText('2 files').waitFor();
    await panel.locator('.file summary', { hasText: 'src/server.ts' }).click();
    await panel.locator('.patch-row.add mark').first().waitFor();
    expect(await panel.locator('.patch-row.remove mark').allInnerTexts()).toEqual(['string']);
    expect(await panel.locator('.patch-row.add mark').allInnerTexts()).toContain('void');
    await panel.getByRole('link', { name: 'this turn (turn-1)', exact: true }).click();
    await panel.getByRole('button', { name: 'Undo turn-1 …', exact: true }).click();
    await panel
      .locator('.plan')
      .getByText(/restore src\/server\.ts/u)
      .waitFor();
    expect(readFileSync(file, 'utf8')).toContain('TooLarge');
    await panel.locator('.plan').getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.locator('.units').getByText('undone').waitFor();
    expect(readFileSync(file, 'utf8')).not.toContain('TooLarge');
    expect(existsSync(join(machine.project, 'docs', 'limits.md'))).toBe(false);
    await panel.getByRole('link', { name: 'whole conversation', exact: true }).click();
    await panel.getByText('No changes.').waitFor();
    expect(kim.faults).toEqual([]);
  });

  test('a file with a hostile name and hostile lines is text', async () => {
    const kim = await Visitor.enter(browser, await WebServer.start(await createScene()));
    await kim.begin();
    await kim.say('@ann scene:html');
    await kim.reads('turn-1');
    await openPanel(kim, 'Changes');
    await panelOf(kim).locator('.file summary').first().click();
    await panelOf(kim)
      .locator('.patch-row.add')
      .getByText(/<script/u)
      .first()
      .waitFor();
    expect(
      await kim.page.evaluate(() => document.querySelectorAll('.panel :is(script, img, iframe)').length),
    ).toBe(0);
    expect(kim.faults).toEqual([]);
  });

  test('the conversation is saved as a file', async () => {
    const server = await WebServer.start(await createScene());
    const kim = await Visitor.enter(browser, server);
    const id = await kim.begin();
    await kim.say('@ann scene:hello');
    await kim.reads('turn-1');
    await kim.page.getByRole('button', { name: 'Export', exact: true }).click();
    await kim.page.getByRole('button', { name: 'JSON Lines', exact: true }).click();
    await kim.sees(`Saved: huddle-${id}.jsonl`);
    expect(kim.faults).toEqual([]);
  });

  test('at 400 px panels are whole pages, and nothing scrolls sideways', async () => {
    const kim = await Visitor.enter(browser, await WebServer.start(await createScene()), {
      viewport: { width: 400, height: 800 },
      locale: 'zh-CN',
    });
    const id = await kim.begin();
    await kim.say('@ann scene:reply reply=plan');
    await kim.reads('turn-1');
    const origin = new URL(kim.page.url()).origin;
    for (const name of ['members', 'why', 'changes', 'cost']) {
      await kim.page.goto(`${origin}/c/${id}/${name}`);
      await panelOf(kim).locator('.panel-content, .panel-note').first().waitFor();
      const box = await panelOf(kim).boundingBox();
      expect(box?.width).toBe(400);
      expect(await kim.page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    }
    await kim.page.goto(`${origin}/c/${id}/members`);
    await panelOf(kim).getByRole('button', { name: '向 bob 提问', exact: true }).click();
    await kim.page.waitForFunction(() => document.activeElement?.id === 'composer');
    await kim.hasTyped('@bob ');
    expect(kim.faults).toEqual([]);
  });
});

async function openPanel(visitor: Visitor, name: string): Promise<void> {
  await visitor.page.locator('.panel-links').getByRole('link', { name, exact: true }).click();
  await panelOf(visitor).locator('.panel-content').waitFor();
}

function panelOf({ page }: Visitor): Locator {
  return page.locator('[data-region="panel"]');
}
