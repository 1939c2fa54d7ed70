// Keeps the newest commands that exceeded one limit. Thread-safe.
using Garnet.Engine.Execution;
using Garnet.Protocol;

namespace Garnet.Server.Logs;

/// <summary>A bounded log of commands, newest first.</summary>
/// <param name="maxLength">Returns the maximum number of entries.</param>
internal sealed class CommandLog(Func<long> maxLength)
{
    private readonly Lock _gate = new();
    private readonly LinkedList<CommandLogEntry> _entries = new();
    private long _nextId;

    /// <summary>Number of entries.</summary>
    public int Length
    {
        get
        {
            lock (_gate)
                return _entries.Count;
        }
    }

    /// <summary>The newest entries, at most <paramref name="count"/>; -1 for all.</summary>
    public CommandLogEntry[] Newest(long count)
    {
        lock (_gate)
            return _entries.Take(count < 0 ? int.MaxValue : (int)Math.Min(count, int.MaxValue)).ToArray();
    }

    /// <summary>Removes all entries.</summary>
    public void Clear()
    {
        lock (_gate)
            _entries.Clear();
    }

    /// <summary>Writes the newest entries as a reply.</summary>
    internal void WriteNewest(ref RespWriter reply, long count)
    {
        CommandLogEntry[] newest = Newest(count);
        reply.WriteArray(newest.Length);
        foreach (CommandLogEntry entry in newest)
        {
            reply.WriteArray(6);
            reply.WriteInteger(entry.Id);
            reply.WriteInteger(entry.UnixSeconds);
            reply.WriteInteger(entry.Value);
            reply.WriteArray(entry.Arguments.Length);
            foreach (byte[] argument in entry.Arguments)
                reply.WriteBulk(argument);
            reply.WriteBulk(entry.ClientAddress);
            reply.WriteBulk(entry.ClientName);
        }
    }

    internal void Add(LoggedCommand command, long value)
    {
        ClientSession client = command.Client;
        lock (_gate)
        {
            _entries.AddFirst(
                new CommandLogEntry(
                    _nextId++,
                    client.Store.NowMs / 1000,
                    value,
                    command.Arguments,
                    client.Connection.RemoteAddress,
                    client.Names.Client
                )
            );
            CutEntries();
        }
    }

    /// <summary>Removes the oldest entries beyond the maximum length.</summary>
    internal void Cut()
    {
        lock (_gate)
            CutEntries();
    }

    private void CutEntries()
    {
        while (_entries.Count > maxLength())
            _entries.RemoveLast();
    }
}
