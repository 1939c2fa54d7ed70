// Writes the collections of a snapshot down as text. For tests.
using System.Globalization;
using System.Text;

namespace Garnet.Store.Tests;

/// <summary>Keeps one text per key.</summary>
internal sealed class ImageSink : ISnapshotSink
{
    private readonly Lock _lock = new();

    public Dictionary<string, string> Images { get; } = [];

    public bool HasRepeated { get; private set; }

    public static string TextOf(CollectionImage image)
    {
        var text = new StringBuilder();
        text.Append(image.Type).Append(' ').Append(image.Count).Append(' ').Append(Encoding.ASCII.GetString(image.EncodingName));
        while (image.MoveNext())
        {
            text.Append(' ').Append(Convert.ToHexString(image.First));
            if (image.Type == RecordType.Hash)
            {
                text.Append('=').Append(Convert.ToHexString(image.Second)).Append('@').Append(image.ExpiresAtMs);
            }
            else if (image.Type == RecordType.SortedSet)
            {
                text.Append('=').Append(image.Score.ToString("R", CultureInfo.InvariantCulture));
            }
        }

        return text.ToString();
    }

    public void OnFirstWrite(in SnapshotImage image) => Add(image);

    public void OnWalk(in SnapshotImage image) => Add(image);

    public bool HasRoom(long bytes) => true;

    public Task WaitForRoomAsync() => Task.CompletedTask;

    private void Add(in SnapshotImage image)
    {
        lock (_lock)
        {
            HasRepeated |= !Images.TryAdd(Encoding.UTF8.GetString(image.Key), TextOf(CollectionImage.FromBytes(image.Info.Type, image.Value)));
        }
    }
}
