import type { Technology } from './technology';

/** Servers with a greeting: for shells, files, mail, names, data and messages. */
export const SERVICES: readonly Technology[] = [
  {
    name: 'OpenSSH',
    vendor: 'OpenBSD',
    cpe: 'openbsd:openssh',
    greetings: {
      ssh: /^SSH-[\d.]{3,4}-(?=(?<os>.{1,80}))OpenSSH_(?:for_Windows_)?(?<version>\d[\d.]*)(?<update>p\d{1,2})?/,
    },
  },
  {
    name: 'Dropbear',
    vendor: 'Dropbear',
    cpe: 'dropbear_ssh_project:dropbear_ssh',
    greetings: { ssh: /^SSH-2\.0-dropbear(?:_(?<version>\d[\d.]*))?/i },
  },
  {
    name: 'libssh',
    vendor: 'libssh',
    cpe: 'libssh:libssh',
    greetings: { ssh: /^SSH-2\.0-libssh[-_](?<version>\d[\d.]*)?/ },
  },
  { name: 'Cisco SSH', vendor: 'Cisco', greetings: { ssh: /^SSH-[\d.]{3,4}-Cisco-\d/ } },
  {
    name: 'Bitvise SSH Server',
    vendor: 'Bitvise',
    cpe: 'bitvise:winsshd',
    greetings: { ssh: /^SSH-2\.0-[\d.]{1,12} FlowSsh: Bitvise SSH Server \(WinSSHD\)(?: (?<version>\d[\d.]*))?/ },
  },
  {
    name: 'Apache MINA SSHD',
    vendor: 'Apache Software Foundation',
    cpe: 'apache:sshd',
    greetings: { ssh: /^SSH-2\.0-(?:APACHE-)?SSHD(?:-CORE)?-(?<version>\d[\d.]*)/ },
  },
  { name: 'Go SSH', vendor: 'Go', greetings: { ssh: /^SSH-2\.0-Go\b/ } },
  {
    name: 'vsftpd',
    vendor: 'vsftpd',
    cpe: 'vsftpd_project:vsftpd',
    greetings: { ftp: /^220[ -].{0,40}\(vsFTPd (?<version>\d[\w.]*)\)/i },
  },
  {
    name: 'ProFTPD',
    vendor: 'ProFTPD',
    cpe: 'proftpd:proftpd',
    greetings: { ftp: /^220[ -]ProFTPD(?: (?<version>\d[\w.]*))?(?: Server)?(?: \((?<os>[^)]{1,40})\))?/ },
  },
  {
    name: 'Pure-FTPd',
    vendor: 'Pure-FTPd',
    cpe: 'pureftpd:pure-ftpd',
    greetings: { ftp: /^220[ -].{0,20}Welcome to Pure-FTPd\b/ },
  },
  {
    name: 'FileZilla Server',
    vendor: 'FileZilla',
    cpe: 'filezilla-project:filezilla_server',
    greetings: { ftp: /^220[ -]FileZilla Server(?: (?:version )?(?<version>\d[\d.]*))?/ },
  },
  {
    name: 'Microsoft FTP Service',
    vendor: 'Microsoft',
    cpe: 'microsoft:ftp_service',
    greetings: { ftp: /^220[ -].{0,80}Microsoft FTP Service/ },
  },
  {
    name: 'Postfix',
    vendor: 'Postfix',
    cpe: 'postfix:postfix',
    greetings: { smtp: /^220[ -]\S{1,255} ESMTP Postfix(?: (?<version>\d[\d.]*))?(?: \((?<os>[^)]{1,40})\))?/ },
  },
  {
    name: 'Exim',
    vendor: 'Exim',
    cpe: 'exim:exim',
    greetings: { smtp: /^220[ -]\S{1,255} ESMTP Exim(?: (?<version>\d[\d.]*))?(?: (?<os>Ubuntu|Debian))?/ },
  },
  {
    name: 'Sendmail',
    vendor: 'Proofpoint',
    cpe: 'sendmail:sendmail',
    greetings: {
      smtp: /^220[ -]\S{1,255} ESMTP Sendmail(?: (?<version>\d[\d.]*))?(?:\/\d[\d.]*)?(?:\/(?<os>Debian|SuSE))?/,
    },
  },
  {
    name: 'OpenSMTPD',
    vendor: 'OpenBSD',
    cpe: 'openbsd:opensmtpd',
    greetings: { smtp: /^220[ -]\S{1,255} ESMTP OpenSMTPD/ },
  },
  {
    name: 'Microsoft Exchange',
    vendor: 'Microsoft',
    cpe: 'microsoft:exchange_server',
    greetings: {
      smtp: /^220[ -]\S{1,255} Microsoft ESMTP MAIL Service/,
      imap: /^\* OK The Microsoft Exchange IMAP4 service/,
      pop3: /^\+OK The Microsoft Exchange POP3 service/,
    },
  },
  {
    name: 'hMailServer',
    vendor: 'hMailServer',
    cpe: 'hmailserver:hmailserver',
    greetings: { smtp: /\bhMailServer\b/i },
  },
  {
    name: 'MailEnable',
    vendor: 'MailEnable',
    cpe: 'mailenable:mailenable',
    greetings: { smtp: /\bMailEnable Service, Version: (?<version>\d[\d.]*)/ },
  },
  {
    name: 'Dovecot',
    vendor: 'Dovecot',
    cpe: 'dovecot:dovecot',
    greetings: {
      imap: /^\* OK .{0,600}\bDovecot(?: \((?<os>[^)]{1,40})\))? ready/,
      pop3: /^\+OK .{0,20}Dovecot(?: \((?<os>[^)]{1,40})\))? ready/,
    },
  },
  {
    name: 'Courier',
    vendor: 'Courier',
    cpe: 'courier-mta:courier',
    greetings: {
      imap: /^\* OK .{0,600}Courier-IMAP ready/,
      smtp: /^220[ -]\S{1,255} ESMTP Courier(?: (?<version>\d[\d.]*))?/,
    },
  },
  {
    name: 'Cyrus IMAP',
    vendor: 'Cyrus',
    cpe: 'cyrus:imap',
    greetings: {
      imap: /^\* OK .{0,600}\bCyrus IMAP4? v?(?<version>\d[\d.]*)?/,
      pop3: /^\+OK \S{1,255} Cyrus POP3 v?(?<version>\d[\d.]*)?/,
    },
  },
  {
    name: 'MariaDB',
    vendor: 'MariaDB',
    cpe: 'mariadb:mariadb',
    greetings: {
      mysql: /(?:5\.5\.5-)?(?<version>\d{1,2}\.\d{1,2}\.\d{1,3})-MariaDB(?<os>-\S{1,40})?|\bto this MariaDB server\b/,
      mariadb: /(?:5\.5\.5-)?(?<version>\d{1,2}\.\d{1,2}\.\d{1,3})-MariaDB(?<os>-\S{1,40})?|\bto this MariaDB server\b/,
    },
  },
  {
    name: 'Percona Server',
    vendor: 'Percona',
    cpe: 'percona:percona_server',
    greetings: { mysql: /^[^\d]{0,5}(?<version>[5-9]\.\d\.\d{1,3})-\d{2,3}(?:\.\d)?(?=-\d|-log|\0|\s|$)/ },
  },
  {
    name: 'MySQL',
    vendor: 'Oracle',
    cpe: 'oracle:mysql',
    greetings: {
      mysql:
        /^[^\d]{0,5}(?<version>[5-9]\.\d\.\d{1,3})(?:-(?<os>\d{1,2}ubuntu)\S{0,40})?(?:-(?:log|commercial|debug|community))?(?=\0|\s|$)|\bto this MySQL server\b/,
    },
  },
  {
    name: 'PostgreSQL',
    vendor: 'PostgreSQL',
    cpe: 'postgresql:postgresql',
    // Other servers that speak its protocol do not name these files in an error.
    greetings: { postgresql: /\bPostgreSQL (?<version>\d[\d.]*)|\0F(?:postmaster|backend_startup)\.c\0/ },
  },
  {
    name: 'Microsoft SQL Server',
    vendor: 'Microsoft',
    cpe: 'microsoft:sql_server',
    greetings: { 'ms-sql-s': /^(?<version>\d{1,2}\.\d{1,3}\.\d{1,5})$/ },
  },
  {
    name: 'Valkey',
    vendor: 'Valkey',
    cpe: 'lfprojects:valkey',
    greetings: { redis: /\bvalkey_version:(?<version>\d[\d.]*)/ },
  },
  {
    name: 'Redis',
    vendor: 'Redis',
    cpe: 'redis:redis',
    greetings: { redis: /\bredis_version:(?<version>\d[\d.]*)|^-DENIED Redis\b/ },
  },
  {
    name: 'Memcached',
    vendor: 'Memcached',
    cpe: 'memcached:memcached',
    greetings: { memcache: /^VERSION (?<version>\d[\d.]*)/ },
  },
  {
    name: 'MongoDB',
    vendor: 'MongoDB',
    cpe: 'mongodb:mongodb',
    greetings: { mongodb: /"?version"?\s{0,3}[:=]\s{0,3}"?(?<version>\d+\.\d[\d.]*)/ },
  },
  {
    name: 'Apache ZooKeeper',
    vendor: 'Apache Software Foundation',
    cpe: 'apache:zookeeper',
    greetings: { zookeeper: /Zookeeper version: (?<version>\d[\d.]*)/i },
  },
  {
    name: 'BIND',
    vendor: 'ISC',
    cpe: 'isc:bind',
    greetings: {
      domain: /^(?:BIND )?(?<version>9\.\d{1,2}\.\d{1,3})(?:-(?<os>[\w.+~-]{1,60}))?/,
    },
  },
  {
    name: 'dnsmasq',
    vendor: 'Thekelleys',
    cpe: 'thekelleys:dnsmasq',
    greetings: { domain: /^dnsmasq-(?:pi-hole-)?v?(?<version>\d[\d.]*)/ },
  },
  {
    name: 'Unbound',
    vendor: 'NLnet Labs',
    cpe: 'nlnetlabs:unbound',
    greetings: { domain: /^unbound (?<version>\d[\d.]*)/ },
  },
  {
    name: 'PowerDNS',
    vendor: 'PowerDNS',
    cpe: 'powerdns:authoritative_server',
    greetings: { domain: /^PowerDNS Authoritative Server (?<version>\d[\d.]*)/ },
  },
  {
    name: 'Mosquitto',
    vendor: 'Eclipse Foundation',
    cpe: 'eclipse:mosquitto',
    greetings: { mqtt: /\bmosquitto version (?<version>\d[\d.]*)/ },
  },
];
