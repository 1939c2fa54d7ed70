// A reference model of a stream: sorted entries, and groups with pending entries. For tests.
using Garnet.Store.Collections.Streams;

namespace Garnet.Store.Tests.Collections;

/// <summary>The simplest stream.</summary>
internal sealed class StreamModel
{
    public SortedList<StreamId, (byte[] Name, byte[] Value)[]> Entries { get; } = [];

    public Dictionary<string, Dictionary<string, Consumer>> Groups { get; } = [];

    public StreamId Last { get; set; }

    public StreamId MaxDeleted { get; set; }

    public long Added { get; set; }

    internal sealed class Consumer
    {
        public SortedList<StreamId, (long Time, long Count)> Pending { get; } = [];

        public long SeenMs { get; set; } = 5;
    }
}
