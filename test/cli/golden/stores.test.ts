import { beforeAll } from 'vitest';
import { describePostgres } from '../../postgres/describePostgres.js';
import { playTable } from './playTable.js';

const FILE = '"$HOME/.config/huddle/stores.json"';
const KEY = '"$HOME/.config/huddle/key.pem"';
/** Addresses of the database, once there is one. */
const addresses: Record<string, string> = {};

describePostgres(
  'a database whose owner may make roles',
  (server) => {
    beforeAll(async () => {
      await server().admin('CREATE ROLE owner LOGIN CREATEROLE');
      await server().admin('CREATE DATABASE huddle OWNER owner');
      await server().createRole('stranger');
      for (const role of ['owner', 'kim', 'stranger', 'nobody'])
        addresses[role.toUpperCase()] = `postgres://${role}@${new URL(server().url()).host}/huddle`;
    });

    playTable(
      {
        'store-init': {
          'the team is trusted': {
            'huddle store init --help': 0,
            'huddle store init work': 2,
            'huddle store init local --url "$OWNER"': 2,
            'huddle store init work --url postgres://owner:hush@db.example.org/huddle': 78,
            'huddle store init work --url postgres://owner@127.0.0.1:1/huddle': 74,
            'huddle store init work --url "$STRANGER"': 77,
            'huddle store add work "$OWNER"': 0,
            'huddle run --store work Go.': 78,
            'huddle store init work --url "$OWNER"': 0,
            'huddle store init work --url "$OWNER" --force': 0,
            'huddle run --store work "As a stranger."': 77,
            'huddle --store work sessions': 0,
          },
        },
        'store-add': {
          'nothing is installed': {
            'huddle store add --help': 0,
            'huddle store add work': 2,
            'huddle store add wo/rk postgres:///huddle': 2,
            'huddle store add work postgres://kim@db.example.org/huddle': 78,
            'huddle store add work postgres://kim@db.example.org/huddle?sslmode=require': 78,
            'huddle store add work "postgres://kim@db.example.org/huddle?sslmode=verify-full"': 0,
            'huddle store add work postgres:///huddle': 2,
            'huddle store add work postgres:///huddle --force': 0,
            'huddle sessions --store wrok': 78,
            'HUDDLE_STORE=wrok huddle sessions': 78,
            [`/bin/chmod 666 ${FILE}; huddle sessions --store work`]: 77,
            [`/bin/chmod 600 ${FILE}; echo {} > ${FILE}; huddle sessions --store work`]: 78,
          },
        },
        'store-list': {
          'nothing is installed': {
            'huddle store list --help': 0,
            'huddle store list --jsn': 2,
            'huddle store list': 0,
            'huddle store add work postgres:///huddle > /dev/null; huddle store add home postgres:///home': 0,
            'HUDDLE_STORE=work huddle store list': 0,
            'huddle store list --json': 0,
          },
        },
        'store-invite': {
          'nothing is installed': {
            'huddle store invite --help': 0,
            'huddle store invite work': 2,
            'huddle store invite work kim': 78,
            'huddle store add work "$OWNER"; huddle store invite work kim': 0,
            'huddle store invite work gpu_box --worker': 0,
            'huddle store invite work pg_monitor': 2,
            'huddle store add mine "$KIM"; huddle store invite mine bob': 77,
          },
        },
        'store-check': {
          'nothing is installed': {
            'huddle store check --help': 0,
            'huddle store check': 2,
            'huddle store check work': 78,
            'huddle store add work "$KIM"; huddle store check work': 0,
            'HUDDLE_STORE=work huddle store check --json': 0,
            'huddle store add elsewhere "$STRANGER"; huddle store check elsewhere': 77,
            'huddle store add away postgres://kim@127.0.0.1:1/huddle; huddle store check away': 74,
          },
        },
        'store-upgrade': {
          'nothing is installed': {
            'huddle store upgrade --help': 0,
            'huddle store upgrade': 2,
            'huddle store add work "$OWNER"; huddle store upgrade work': 0,
          },
        },
        'store-remove': {
          'nothing is installed': {
            'huddle store remove --help': 0,
            'huddle store remove work': 2,
            'huddle store add work "$OWNER"; huddle store remove work bob': 2,
            'huddle store remove work owner': 2,
            'huddle store remove work kim': 0,
            'huddle store add mine "$KIM"; huddle sessions --store mine': 77,
          },
        },
        worker: {
          'nothing is installed': {
            'huddle worker --help': 0,
            'huddle worker --fiel x': 2,
            'huddle worker': 78,
            'huddle worker --file elsewhere/worker.jsonc --store team': 78,
            'huddle store add acme "$KIM"; huddle worker --lang zh-CN': 78,
            [`echo '{ "version": 1, "members": [ { "name": "sarah" } ] }' > half.jsonc; huddle worker --file half.jsonc`]: 78,
            [`echo '{ "version": 1 }' > worker.jsonc; huddle worker --file worker.jsonc`]: 2,
            'huddle worker --file worker.jsonc --store wrok': 78,
            'huddle worker --file half.jsonc --debug-file debug.log': 78,
            [`umask 0; echo '{ "version": 1 }' > open.jsonc; huddle worker --file open.jsonc`]: 77,
          },
        },
        key: {
          'nothing is installed': {
            'huddle key --help': 0,
            'huddle key --nwe': 2,
            'huddle key': 0,
            'huddle key --new': 0,
            [`/bin/chmod 644 ${KEY}; huddle key`]: 77,
            [`/bin/chmod 600 ${KEY}; echo x > ${KEY}; huddle key`]: 78,
          },
        },
      },
      undefined,
      addresses,
    );
  },
  // Its roles and its database have names that other tests may use.
  { alone: true },
);
