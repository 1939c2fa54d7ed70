// Builds the RESP form of effects that the store itself causes. Belongs to one session.
using System.Buffers.Text;

namespace Garnet.Store;

/// <summary>Turns a key's removal into the command that repeats it.</summary>
internal sealed class EffectWriter
{
    private byte[] _buffer = new byte[128];

    /// <summary><c>*2 $3 DEL $n key</c>; valid until the next call.</summary>
    public ReadOnlySpan<byte> Delete(ReadOnlySpan<byte> key)
    {
        ReadOnlySpan<byte> head = "*2\r\n$3\r\nDEL\r\n$"u8;
        int most = head.Length + 12 + key.Length + 2;
        if (_buffer.Length < most)
        {
            _buffer = new byte[most];
        }

        head.CopyTo(_buffer);
        Utf8Formatter.TryFormat(key.Length, _buffer.AsSpan(head.Length), out int digits);
        int at = head.Length + digits;
        "\r\n"u8.CopyTo(_buffer.AsSpan(at));
        key.CopyTo(_buffer.AsSpan(at + 2));
        at += 2 + key.Length;
        "\r\n"u8.CopyTo(_buffer.AsSpan(at));
        return _buffer.AsSpan(0, at + 2);
    }
}
