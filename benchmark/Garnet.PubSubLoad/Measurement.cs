// One load on one server for some seconds. Own connections.
using System.Diagnostics;
using System.Net;

namespace Garnet.PubSubLoad;

/// <summary>What a load has cost a server.</summary>
/// <param name="Deliveries">Messages that arrived, counted once for each subscriber; messages published where there are none.</param>
/// <param name="Seconds">How long it took.</param>
/// <param name="ProcessorSeconds">The server's.</param>
/// <param name="PeakMebibytes">The server's highest resident memory until now.</param>
internal sealed record Measurement(long Deliveries, double Seconds, double ProcessorSeconds, double PeakMebibytes)
{
    // How far publishers may be ahead of the slowest count, in bytes; below every limit of a subscriber's output.
    private const long MaxAheadBytes = 64L << 20;

    /// <summary>Deliveries for each second of the server's processor time.</summary>
    public double PerProcessorSecond => Deliveries / Math.Max(ProcessorSeconds, 0.01);

    /// <summary>Connects everything, warms up for a quarter of the time, and measures.</summary>
    public static Measurement Of(IPEndPoint server, int process, Scenario scenario, int pipeline, double seconds)
    {
        using var subscribers = Subscribers.Connect(server, scenario);
        Publisher[] publishers = [.. Enumerable.Range(0, scenario.Publishers).Select(i => new Publisher(server, scenario, i, pipeline))];
        try
        {
            long expected = 0;
            Run(publishers, subscribers, scenario, seconds / 4, ref expected);
            double before = ProcessorTime.SecondsOf(process);
            var clock = Stopwatch.StartNew();
            long messages = Run(publishers, subscribers, scenario, seconds, ref expected);
            double elapsed = clock.Elapsed.TotalSeconds;
            double used = ProcessorTime.SecondsOf(process) - before;
            return new Measurement(
                messages * Math.Max(1, scenario.SubscribersPerChannel),
                elapsed,
                used,
                ProcessorTime.PeakMebibytesOf(process)
            );
        }
        finally
        {
            foreach (Publisher publisher in publishers)
                publisher.Dispose();
        }
    }

    // Publishes for a time, then waits until everything has arrived.
    private static long Run(Publisher[] publishers, Subscribers subscribers, Scenario scenario, double seconds, ref long expected)
    {
        long bytes = (long)Publisher.FrameBytes(scenario) * scenario.SubscribersPerChannel;
        long messages = 0;
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed.TotalSeconds < seconds)
        {
            foreach (Publisher publisher in publishers)
                publisher.Send();
            int published = publishers.Sum(static publisher => publisher.Await());
            messages += published;
            expected += published * bytes;
            Await(subscribers, expected - Math.Max(MaxAheadBytes, bytes));
        }

        Await(subscribers, expected);
        return messages;
    }

    private static void Await(Subscribers subscribers, long bytes)
    {
        long last = subscribers.Received;
        var patience = Stopwatch.StartNew();
        while (subscribers.Received < bytes)
        {
            Thread.Sleep(1);
            if (patience.Elapsed.TotalSeconds < 10)
                continue;
            if (subscribers.Received == last)
                throw new InvalidOperationException($"{bytes - last} bytes of messages have not arrived.");
            last = subscribers.Received;
            patience.Restart();
        }
    }
}
