// What the log takes from the stream of effects: effects alone, whatever is appended for replicas while it reads.
using System.Diagnostics;
using Garnet.Persistence.AppendLog;
using Garnet.Persistence.Effects;
using Xunit;

namespace Garnet.Persistence.Tests.AppendLog;

public sealed class LogSourceTests
{
    private const byte Effect = (byte)'e';
    private const byte ForReplicas = (byte)'r';

    [Fact]
    public void Without_bytes_for_replicas_their_next_range_is_empty_and_at_the_end()
    {
        EffectStream stream = new(1000);
        stream.BeginLogging();
        Assert.Equal((1000, 1000), stream.LinkBytesFrom(1000));
        stream.AppendVerbatim([Effect, Effect]);
        Assert.Equal((1002, 1002), stream.LinkBytesFrom(1000));
        stream.AppendVerbatim([ForReplicas], isForLinks: true);
        stream.AppendVerbatim([Effect]);
        Assert.Equal((1002, 1003), stream.LinkBytesFrom(1000));
        Assert.Equal((1004, 1004), stream.LinkBytesFrom(1003));
    }

    [Fact]
    public async Task Bytes_for_replicas_are_never_logged_even_if_they_arrive_while_the_log_looks_for_them()
    {
        // A round waits for the other thread, which on busy processors takes milliseconds.
        const int MaxRounds = 30_000;
        var longest = TimeSpan.FromSeconds(3);
        int rounds = 0;
        EffectStream stream = new();
        LogSource source = new(stream, 0, new LoggedRange());
        source.Attach(new Silent());
        using CancellationTokenSource found = new();
        var appending = Task.Run(() =>
        {
            long begun = Stopwatch.GetTimestamp();
            SpinWait waiting = default;
            while (rounds < MaxRounds && Stopwatch.GetElapsedTime(begun) < longest && !found.IsCancellationRequested)
            {
                // The log has taken everything: it looks for what comes next at this moment.
                while (source.Lag != 0 && !found.IsCancellationRequested)
                    waiting.SpinOnce(sleep1Threshold: -1);
                Thread.SpinWait(rounds++ % 64);
                stream.AppendVerbatim([Effect]);
                stream.AppendVerbatim([ForReplicas], isForLinks: true);
            }
        });
        bool isFound = false;
        while (!appending.IsCompleted || source.Lag != 0)
        {
            ReadOnlyMemory<byte> piece = source.Peek();
            isFound = piece.Span.Contains(ForReplicas);
            if (isFound)
                break;
            source.Advance(piece.Length);
        }

        await found.CancelAsync();
        await appending;
        Assert.False(isFound, $"at {source.Position}");
        Assert.Equal(rounds, source.Position);
    }

    private sealed class Silent : IEffectListener
    {
        public void OnAppended() { }
    }
}
