// Classes of bytes as in the C locale. Stateless; any thread.
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>The classes that patterns name with a letter; an upper-case letter means all other bytes.</summary>
internal static class CharacterClass
{
    public static bool Matches(byte value, byte name)
    {
        bool result = (name | 0x20) switch
        {
            'a' => IsLetter(value),
            'c' => value is < 32 or 127,
            'd' => IsDigit(value),
            'l' => value is >= (byte)'a' and <= (byte)'z',
            'p' => value is > 32 and < 127 && !IsLetter(value) && !IsDigit(value),
            's' => NumberText.IsSpace(value),
            'u' => value is >= (byte)'A' and <= (byte)'Z',
            'w' => IsLetter(value) || IsDigit(value),
            'x' => IsDigit(value) || (value | 0x20) is >= 'a' and <= 'f',
            'z' => value == 0,
            _ => value == name,
        };
        bool isInverted = name is >= (byte)'A' and <= (byte)'Z' && "acdlpsuwxz".Contains((char)(name | 0x20), StringComparison.Ordinal);
        return result != isInverted;
    }

    public static bool IsDigit(byte value) => value is >= (byte)'0' and <= (byte)'9';

    private static bool IsLetter(byte value) => (value | 0x20) is >= 'a' and <= 'z';
}
