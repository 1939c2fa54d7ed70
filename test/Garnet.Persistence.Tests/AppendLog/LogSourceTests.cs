// What the log takes from the stream of effects: effects alone, whatever is appended for replicas while it reads.
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
        const int Rounds = 30_000;
        EffectStream stream = new();
        LogSource source = new(stream, 0, new LoggedRange());
        source.Attach(new Silent());
        using CancellationTokenSource found = new();
        var appending = Task.Run(() =>
        {
            // Without sleeping, which would make a round a millisecond where other programs compute.
            SpinWait waiting = default;
            for (int i = 0; i < Rounds && !found.IsCancellationRequested; i++)
            {
                // The log has taken everything: it looks for what comes next at this moment.
                while (source.Lag != 0 && !found.IsCancellationRequested)
                    waiting.SpinOnce(sleep1Threshold: -1);
                Thread.SpinWait(i % 64);
                stream.AppendVerbatim([Effect]);
                stream.AppendVerbatim([ForReplicas], isForLinks: true);
            }
        });
        while (!appending.IsCompleted || source.Lag != 0)
        {
            ReadOnlyMemory<byte> piece = source.Peek();
            if (piece.Span.Contains(ForReplicas))
                break;
            source.Advance(piece.Length);
        }

        await found.CancelAsync();
        await appending;
        // Where bytes for replicas were found, less.
        Assert.Equal(Rounds, source.Position);
    }

    private sealed class Silent : IEffectListener
    {
        public void OnAppended() { }
    }
}
