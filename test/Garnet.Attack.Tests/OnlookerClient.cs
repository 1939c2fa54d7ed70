// Another client's view of an attack: how long it waits for PING and GET while the attack runs. A thread of its own.
using System.Diagnostics;
using Garnet.Testing;

namespace Garnet.Attack.Tests;

/// <summary>Sends a small command again and again, and keeps the longest time one took.</summary>
internal sealed class OnlookerClient : IDisposable
{
    private readonly RespExchange _client;
    private readonly Thread _thread;
    private volatile bool _ends;
    private long _longestTicks;
    private long _askedAt; // 0 between a reply and the next request
    private long _asked; // requests begun
    private long _answered; // requests answered
    private Exception? _failure;

    public OnlookerClient(AttackedServer server)
    {
        _client = server.Connect();
        _client.ExecuteText("SET", "onlooker", "1");
        _thread = new Thread(Run) { IsBackground = true, Name = "onlooker" };
        _thread.Start();
    }

    /// <summary>The longest wait since the last <see cref="Restart"/>, the one under way included.</summary>
    public TimeSpan LongestWait
    {
        get
        {
            long askedAt = Volatile.Read(ref _askedAt);
            long waiting = askedAt == 0 ? 0 : Stopwatch.GetTimestamp() - askedAt;
            return Stopwatch.GetElapsedTime(0, Math.Max(waiting, Volatile.Read(ref _longestTicks)));
        }
    }

    /// <summary>Forgets the longest wait.</summary>
    public void Restart() => Volatile.Write(ref _longestTicks, 0);

    /// <summary>Waits for the reply to a request that begins after this call.</summary>
    public void AwaitReply()
    {
        long next = Volatile.Read(ref _asked) + 1;
        while (Volatile.Read(ref _answered) < next && _thread.IsAlive)
            Thread.Sleep(1);
    }

    /// <summary>Stops asking; throws what went wrong meanwhile.</summary>
    public void Dispose()
    {
        _ends = true;
        _thread.Join();
        _client.Dispose();
        if (_failure is not null)
            throw new InvalidOperationException("The onlooker's connection failed.", _failure);
    }

    private void Run()
    {
        try
        {
            while (!_ends)
            {
                long start = Stopwatch.GetTimestamp();
                Volatile.Write(ref _askedAt, start);
                Volatile.Write(ref _asked, _asked + 1);
                _client.ExecuteText("INCR", "onlooker");
                long ticks = Stopwatch.GetTimestamp() - start;
                Volatile.Write(ref _askedAt, 0);
                if (ticks > Volatile.Read(ref _longestTicks))
                    Volatile.Write(ref _longestTicks, ticks);
                Volatile.Write(ref _answered, _asked);
                Thread.Sleep(1);
            }
        }
        catch (Exception e)
        {
            _failure = e;
        }
    }
}
