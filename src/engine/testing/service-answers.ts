/** The answer of a real server to the hello of a protocol: a text for each turn, with one character for each byte. */
export interface ServiceAnswer {
  readonly service: string;
  /** In hexadecimal digits. */
  readonly nonce: string;
  readonly heard: readonly string[];
  readonly stated: readonly string[];
}

/** Recorded from servers of Debian 12. */
export const SERVICE_ANSWERS: readonly ServiceAnswer[] = [
  {
    service: 'ssh',
    nonce: '0abab92a96af73e7',
    heard: [
      'SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u10\r\n',
      '\x00\x00\x04<\x09\x14\xb3J7\x1b\xffL\xb7V\x83\x89`\xc5\xac\x83[\x8f\x00\x00\x01=sntrup761x25519-sha512,sntrup761x2',
    ],
    stated: ['SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u10'],
  },
  {
    service: 'ftp',
    nonce: 'e406a35b42a7e43d',
    heard: ['220 (vsFTPd 3.0.3)\r\n', '530 Please login with USER and PASS.\r\n'],
    stated: ['220 (vsFTPd 3.0.3)'],
  },
  {
    service: 'smtp',
    nonce: 'cbd4d85963df7c14',
    heard: [
      '220 mail.example.com ESMTP Postfix\r\n',
      '250-mail.example.com\r\n250-PIPELINING\r\n250-SIZE 10240000\r\n250-VRFY\r\n250-ETRN\r\n250-STARTTLS\r\n250-ENHANCEDSTATUSCODES\r\n250-8BITMIME\r\n250-DSN\r\n250-SMTPUTF8\r\n250 CHUNKING\r\n',
    ],
    stated: ['220 mail.example.com ESMTP Postfix'],
  },
  {
    service: 'imap',
    nonce: '758c9e7c09a3b85d',
    heard: [
      '* OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ STARTTLS LOGINDISABLED] Dovecot (Debian) ready.\r\n',
      '* CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ STARTTLS LOGINDISABLED\r\na758c9e7c09a3b85d OK Pre-login capabilities listed, post-login capabilities have more.\r\n',
    ],
    stated: [
      '* OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ STARTTLS LOGINDISABLED] Dovecot (Debian) ready.',
    ],
  },
  {
    service: 'pop3',
    nonce: '3d0dfc66b280fd8f',
    heard: [
      '+OK Dovecot (Debian) ready.\r\n',
      '+OK\r\nCAPA\r\nTOP\r\nUIDL\r\nRESP-CODES\r\nPIPELINING\r\nAUTH-RESP-CODE\r\nSTLS\r\nSASL\r\n.\r\n',
    ],
    stated: ['+OK Dovecot (Debian) ready.'],
  },
  {
    service: 'mysql',
    nonce: '82eaf7ce50e326c8',
    heard: [
      'd\x00\x00\x00\n5.5.5-10.11.19-MariaDB-0+deb12u1\x00\x04\x00\x00\x00|%>G+ACk\x00\xfe\xff\x08\x02\x00\xff\x81\x15\x00\x00\x00\x00\x00\x00\x1d\x00\x00\x00r}=X!<G2asA*\x00mysql_native_password\x00',
    ],
    stated: ['5.5.5-10.11.19-MariaDB-0+deb12u1'],
  },
  {
    service: 'postgresql',
    nonce: '5c6efc4fa50ab97d',
    heard: ['S'],
    stated: [],
  },
  {
    service: 'redis',
    nonce: 'ecc6a5eeb871f035',
    heard: [
      '$17\r\naecc6a5eeb871f035\r\n$598\r\n# Server\r\nredis_version:7.0.15\r\nredis_git_sha1:00000000\r\nredis_git_dirty:0\r\nredis_build_id:ae4d7c971a948f0\r\nredis_mode:standalone\r\nos:Linux 6.18.44-fc-v657 x86_64\r\narch_bits:64\r\nmonotonic_clock:POSIX clock_gettime\r\nmultiplexing_api:epoll\r\natomicvar_api:c11-builtin\r\ngcc_version:12.2.0\r\nprocess_id:15549\r\nprocess_supervised:no\r\nrun_id:5ff40009541d8af8a780d22823ff25b0eaee696a\r\ntcp_port:6379\r\nserver_time_usec:1795469462237000\r\nuptime_in_seconds:12\r\nuptime_in_days:0\r\nhz:10\r\nconfigured_hz:10\r\nlru_clock:307350\r\nexecutable:/tmp/assay-observed-QbucOu/9/redis-server\r\nconfig_file:\r\nio_threads_active:0\r\n\r\n+OK\r\n',
    ],
    stated: ['redis_version:7.0.15'],
  },
  {
    service: 'memcache',
    nonce: 'e66454f44606f720',
    heard: ['VERSION 1.6.18\r\nERROR\r\n'],
    stated: ['VERSION 1.6.18'],
  },
  {
    service: 'domain',
    nonce: 'daea0a5cb2e5628b',
    heard: [
      '\x00Q\xda\xea\x84\x00\x00\x01\x00\x01\x00\x01\x00\x00\x07version\x04bind\x00\x00\x10\x00\x03\xc0\x0c\x00\x10\x00\x03\x00\x00\x00\x00\x00\x19\x189.18.49-1~deb12u3-Debian\xc0\x0c\x00\x02\x00\x03\x00\x00\x00\x00\x00\x02\xc0\x0c',
    ],
    stated: ['9.18.49-1~deb12u3-Debian'],
  },
  {
    service: 'mqtt',
    nonce: 'e9750d30e7e13c2c',
    heard: [' \x02\x00\x00\x90\x03\xe9u\x001-\x00\x13$SYS/broker/versionmosquitto version 2.0.11'],
    stated: ['mosquitto version 2.0.11'],
  },
  {
    service: 'rsync',
    nonce: '2c45e488cf13f10b',
    heard: ['@RSYNCD: 32.0 sha512 sha256 sha1 md5 md4\n'],
    stated: ['@RSYNCD: 32.0 sha512 sha256 sha1 md5 md4'],
  },
  {
    service: 'ldap',
    nonce: '51914588fd2ed5d5',
    heard: [
      '0\x81\xa0\x02\x02Q\x91d\x81\x99\x04\x000\x81\x940u\x04\x12supportedExtension1_\x04\x171.3.6.1.4.1.4203.1.11.1\x04\x171.3.6.1.4.1.4203.1.11.3\x04\x0b1.3.6.1.1.8\x04\x0e1.3.6.1.1.21.3\x04\x0e1.3.6.1.1.21.10\x1b\x04\x14supportedLDAPVersion1\x03\x04\x0130\r\x02\x02Q\x91e\x07\n\x01\x00\x04\x00\x04\x00',
    ],
    stated: [],
  },
  {
    service: 'microsoft-ds',
    nonce: '1957881767e3c7ae',
    heard: [
      '\x00\x00\x00\xca\xfeSMB@\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00A\x00\x01\x00\x02\x03\x00\x00vm\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x00\x00\x80\x00\x00\x00\x80\x00\x00\x00\x80\x00\xeeq\x02\xf2\x91{\xdd\x01\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00J\x00\x00\x00\x00\x00`H\x06\x06+\x06\x01\x05\x05\x02\xa0>0<\xa0\x0e0\x0c\x06\n+\x06\x01\x04\x01\x827\x02\x02\n\xa3*0(\xa0&\x1b$not_defined_in_RFC4178@please_ignore',
    ],
    stated: [],
  },
  {
    service: 'svn',
    nonce: '0203a68db759d20c',
    heard: [
      '( success ( 2 2 ( ) ( edit-pipeline svndiff1 accepts-svndiff2 absent-entries commit-revprops depth log-revprops atomic-revprops partial-replay inherited-props ephemeral-txnprops file-revs-reverse list ) ) ) ',
    ],
    stated: [],
  },
  {
    service: 'git',
    nonce: '4ae131702f6bb693',
    heard: ['0044ERR access denied or repository not exported: /a4ae131702f6bb693'],
    stated: [],
  },
  {
    service: 'sunrpc',
    nonce: '77c3f456c25dc706',
    heard: [
      '\x80\x00\x00\x18w\xc3\xf4V\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00',
    ],
    stated: [],
  },
  {
    service: 'zookeeper',
    nonce: '676834464678e846',
    heard: [
      'Zookeeper version: 3.8.0-${mvngit.commit.id}, built on 2024-12-29 17:54 UTC\nLatency min/avg/max: 0/0.0/0\nReceived: 1\nSent: 0\nConnections: 1\nOutstanding: 0\nZxid: 0x0\nMode: standalone\nNode count: 5\n',
    ],
    stated: ['Zookeeper version: 3.8.0'],
  },
  {
    service: 'telnet',
    nonce: '855b00f1ea2effe9',
    heard: ["\xff\xfb%\xff\xfb&\xff\xfd\x18\xff\xfd \xff\xfd#\xff\xfd'\xff\xfd$"],
    stated: [],
  },
  {
    service: 'rfb',
    nonce: '139f19d80ca4ae95',
    heard: ['RFB 003.008\n'],
    stated: ['RFB 003.008'],
  },
  {
    service: 'amqp',
    nonce: '50d67df5077545f9',
    heard: [
      '\x01\x00\x00\x00\x00\x01\xf2\x00\n\x00\n\x00\x09\x00\x00\x01\xcd\x0ccapabilitiesF\x00\x00\x00\xc7\x12publisher_confirmst\x01\x1aexchange_exchange_bindingst\x01\nbasic.nackt\x01\x16consumer_cancel_notifyt\x01\x12connection.blockedt\x01\x13consumer_prioritiest\x01\x1cauthentication_failure_closet\x01\x10per_consumer_qost\x01\x0fdirect_reply_tot\x01\x0ccluster_nameS\x00\x00\x00\x0bobserved@vm\x09copyrightS\x00\x00\x007Copyright (c) 2007-2022 VMware, Inc. or its affiliates.\x0binformationS\x00\x00\x009Licensed under the MPL 2.0. Website: https://rabbitmq.com\x08platformS\x00\x00\x00\x11Erlang/OTP 25.2.3\x07productS\x00\x00\x00\x08RabbitMQ\x07versionS\x00\x00\x00\x063.10.8\x00\x00\x00\x0eAMQPLAIN PLAIN\x00\x00\x00\x05en_US\xce',
    ],
    stated: ['RabbitMQ 3.10.8'],
  },
  {
    service: 'ms-wbt-server',
    nonce: '8c0d79866584e563',
    heard: ['\x03\x00\x00\x13\x0e\xd0\x00\x00\x124\x00\x02\x01\x08\x00\x01\x00\x00\x00'],
    stated: [],
  },
  {
    service: 'redis',
    nonce: 'd3a9cd0c8f1adb94',
    heard: ['-NOAUTH Authentication required.\r\n-NOAUTH Authentication required.\r\n+OK\r\n'],
    stated: ['-NOAUTH Authentication required.'],
  },
];
