// Builds the RESP form of effects that the store itself causes. Owned by one session.
using System.Buffers.Text;

namespace Garnet.Store.Records;

/// <summary>Encodes a key's removal as the command that repeats it.</summary>
internal sealed class EffectWriter
{
    private byte[] _buffer = new byte[128];

    /// <summary><c>*2 $3 DEL $n key</c>; valid until the next call.</summary>
    public ReadOnlySpan<byte> Delete(ReadOnlySpan<byte> key)
    {
        int at = Begin("*2\r\n$3\r\nDEL\r\n"u8, key.Length);
        return _buffer.AsSpan(0, Append(at, key));
    }

    /// <summary><c>*3 $4 HDEL $n key $m field</c>; valid until the next call.</summary>
    public ReadOnlySpan<byte> DeleteField(ReadOnlySpan<byte> key, ReadOnlySpan<byte> field)
    {
        int at = Begin("*3\r\n$4\r\nHDEL\r\n"u8, key.Length + field.Length);
        at = Append(at, key);
        return _buffer.AsSpan(0, Append(at, field));
    }

    private int Begin(ReadOnlySpan<byte> head, int argumentBytes)
    {
        const int mostFraming = 2 * 16;
        int most = checked(head.Length + mostFraming + argumentBytes);
        if (_buffer.Length < most)
            _buffer = new byte[most];

        head.CopyTo(_buffer);
        return head.Length;
    }

    private int Append(int at, ReadOnlySpan<byte> argument)
    {
        _buffer[at++] = (byte)'$';
        Utf8Formatter.TryFormat(argument.Length, _buffer.AsSpan(at), out int digits);
        at += digits;
        "\r\n"u8.CopyTo(_buffer.AsSpan(at));
        argument.CopyTo(_buffer.AsSpan(at + 2));
        at += 2 + argument.Length;
        "\r\n"u8.CopyTo(_buffer.AsSpan(at));
        return at + 2;
    }
}
