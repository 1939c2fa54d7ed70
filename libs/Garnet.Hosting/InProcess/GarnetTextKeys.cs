// Text in place of bytes for keys and values. Stateless; any thread.
using System.Text;

namespace Garnet.Hosting.InProcess;

/// <summary>The methods of <see cref="IGarnet"/> for keys that are texts; their UTF-8 bytes are the key.</summary>
public static class GarnetTextKeys
{
    private const int StackBytes = 512;

    /// <inheritdoc cref="IGarnet.Get(ReadOnlySpan{byte})"/>
    public static byte[]? Get(this IGarnet garnet, string key) => garnet.Get(Encode(key, stackalloc byte[StackBytes]));

    /// <summary>GET: the string under a key as a text, or null.</summary>
    public static string? GetText(this IGarnet garnet, string key)
    {
        string? text = null;
        garnet.Read(
            Encode(key, stackalloc byte[StackBytes]),
            new TextTarget(ref text),
            static (value, target) => target.Text = Encoding.UTF8.GetString(value)
        );
        return text;
    }

    /// <inheritdoc cref="IGarnet.Set"/>
    public static bool Set(this IGarnet garnet, string key, ReadOnlySpan<byte> value, in SetOptions options = default) =>
        garnet.Set(Encode(key, stackalloc byte[StackBytes]), value, options);

    /// <summary>SET of a text's UTF-8 bytes.</summary>
    public static bool Set(this IGarnet garnet, string key, string value, in SetOptions options = default) =>
        garnet.Set(Encode(key, stackalloc byte[StackBytes]), Encode(value, stackalloc byte[StackBytes]), options);

    /// <inheritdoc cref="IGarnet.Delete"/>
    public static bool Delete(this IGarnet garnet, string key) => garnet.Delete(Encode(key, stackalloc byte[StackBytes]));

    /// <inheritdoc cref="IGarnet.Exists"/>
    public static bool Exists(this IGarnet garnet, string key) => garnet.Exists(Encode(key, stackalloc byte[StackBytes]));

    /// <inheritdoc cref="IGarnet.Increment"/>
    public static long Increment(this IGarnet garnet, string key, long by = 1) =>
        garnet.Increment(Encode(key, stackalloc byte[StackBytes]), by);

    /// <inheritdoc cref="IGarnet.Expire"/>
    public static bool Expire(this IGarnet garnet, string key, TimeSpan after) =>
        garnet.Expire(Encode(key, stackalloc byte[StackBytes]), after);

    /// <inheritdoc cref="IGarnet.TryGetTimeToLive"/>
    public static bool TryGetTimeToLive(this IGarnet garnet, string key, out TimeSpan timeToLive) =>
        garnet.TryGetTimeToLive(Encode(key, stackalloc byte[StackBytes]), out timeToLive);

    /// <inheritdoc cref="IGarnetTransaction.Watch"/>
    public static void Watch(this IGarnetTransaction transaction, string key) =>
        transaction.Watch(Encode(key, stackalloc byte[StackBytes]));

    /// <summary>Queues a SET of a text's UTF-8 bytes.</summary>
    public static void Set(this IGarnetTransaction transaction, string key, string value, in SetOptions options = default) =>
        transaction.Set(Encode(key, stackalloc byte[StackBytes]), Encode(value, stackalloc byte[StackBytes]), options);

    // Into the room given where it is enough.
    private static ReadOnlySpan<byte> Encode(string text, Span<byte> room)
    {
        ArgumentNullException.ThrowIfNull(text);
        return Encoding.UTF8.TryGetBytes(text, room, out int length) ? room[..length] : Encoding.UTF8.GetBytes(text);
    }

    private ref struct TextTarget(ref string? text)
    {
        private ref string? _text = ref text;

        public string? Text
        {
            readonly get => _text;
            set => _text = value;
        }
    }
}
