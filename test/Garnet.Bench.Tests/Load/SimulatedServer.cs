// Connections to a server that exists in memory, under a clock that only waiting advances. One thread.
using Garnet.Bench.Load;
using Garnet.Network.Polling;
using Garnet.Testing;

namespace Garnet.Bench.Tests.Load;

/// <summary>
/// Answers one request after the other, each after the same time, as the script says; it may stop for the first part of every period.
/// Requests are inline commands, a line each.
/// </summary>
internal sealed class SimulatedServer(ManualTimeProvider clock, TimeSpan service) : ChannelSet
{
    private readonly Queue<(long Ready, int Channel)> _due = new();
    private readonly List<Channel> _channels = [];
    private long _busyUntil;

    /// <summary>The clock.</summary>
    public ManualTimeProvider Clock => clock;

    /// <summary>How long the server stops, at the beginning of each period.</summary>
    public TimeSpan Stop { get; init; }

    /// <summary>From one stop to the next.</summary>
    public TimeSpan Period { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>The reply to the n-th request, counted from 0; null for none.</summary>
    public Func<int, string?> Reply { get; init; } = static _ => "+PONG\r\n";

    /// <summary>How long sending takes the client.</summary>
    public TimeSpan Sending { get; init; }

    /// <summary>Where it is set, every connection receives this again and again, a buffer each tenth of a second.</summary>
    public string? Flood { get; init; }

    /// <summary>Requests so far.</summary>
    public int Requests { get; private set; }

    /// <summary>Connections so far.</summary>
    public int Connections { get; private set; }

    /// <summary>The most requests that one connection had under way.</summary>
    public int MostUnderWay => _channels.Max(static channel => channel.MostUnderWay);

    public override ILoadChannel Open(int id)
    {
        Connections++;
        _channels.Add(new Channel(this, id));
        return _channels[^1];
    }

    public override ILoadChannel Reopen(int id)
    {
        Connections++;
        _channels[id] = new Channel(this, id);
        return _channels[id];
    }

    public override int Wait(Span<ReadySocket> ready, long timeoutNs)
    {
        long now = clock.GetTimestamp();
        long until = now + Math.Max(timeoutNs / TimeSpan.NanosecondsPerTick, 1);
        if (!_due.TryPeek(out (long Ready, int Channel) next) || next.Ready > until)
        {
            clock.Advance(TimeSpan.FromTicks(until - now));
            return 0;
        }

        _due.Dequeue();
        clock.Advance(TimeSpan.FromTicks(Math.Max(next.Ready - now, 0)));
        ready[0] = new ReadySocket(next.Channel, CanRead: true, CanWrite: false);
        return 1;
    }

    protected override void Dispose(bool disposing) { }

    private int FillWith(string flood, Span<byte> buffer)
    {
        clock.Advance(TimeSpan.FromMilliseconds(100));
        if (clock.GetTimestamp() > TimeSpan.TicksPerMinute)
            throw new InvalidOperationException("The flood is still read after a minute.");
        for (int i = 0; i < buffer.Length; i++)
            buffer[i] = (byte)flood[i % flood.Length];
        return buffer.Length - buffer.Length % flood.Length;
    }

    private void Accept(Channel channel)
    {
        string? reply = Reply(Requests++);
        if (reply is null)
            return;
        _busyUntil = Running(Math.Max(_busyUntil, clock.GetTimestamp())) + service.Ticks;
        _due.Enqueue((_busyUntil, channel.Id));
        channel.Replies.Enqueue(reply);
    }

    // The first moment, not before the given one, at which the server does not stop.
    private long Running(long moment)
    {
        long sinceStop = moment % Period.Ticks;
        return sinceStop < Stop.Ticks ? moment - sinceStop + Stop.Ticks : moment;
    }

    private sealed class Channel(SimulatedServer server, int id) : ILoadChannel
    {
        public int Id => id;

        public Queue<string> Replies { get; } = new();

        public int MostUnderWay { get; private set; }

        public bool IsBlocked => false;

        public int Receive(Span<byte> buffer)
        {
            if (server.Flood is { } flood)
                return server.FillWith(flood, buffer);
            return Replies.TryDequeue(out string? reply) ? System.Text.Encoding.ASCII.GetBytes(reply, buffer) : -1;
        }

        public void Send(ReadOnlySpan<byte> bytes)
        {
            server.Clock.Advance(server.Sending);
            foreach (byte value in bytes)
            {
                if (value == (byte)'\n')
                    server.Accept(this);
            }

            MostUnderWay = Math.Max(MostUnderWay, Replies.Count);
        }

        public void Continue() { }

        public void Dispose() { }
    }
}
