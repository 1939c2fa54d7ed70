// Names and skips data written by modules. Stateless; any thread.
namespace Garnet.Persistence.Rdb;

/// <summary>Module data: without the modules it can only be skipped.</summary>
internal static class RdbModule
{
    private const string NameCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private const int NameLength = 9;
    private const int VersionBits = 10;

    /// <summary>The name in a module type's number: nine characters of six bits above ten bits of version.</summary>
    public static string NameOf(ulong id)
    {
        Span<char> name = stackalloc char[NameLength];
        id >>= VersionBits;
        for (int i = NameLength - 1; i >= 0; i--)
        {
            name[i] = NameCharacters[(int)(id & 63)];
            id >>= 6;
        }

        return new string(name);
    }

    /// <summary>Skips tagged items up to and including the end tag: 0 end; 1, 2 a number; 3 a float; 4 a double; 5 a string.</summary>
    public static void SkipItems(ref RdbSource source, RdbScratch scratch)
    {
        while (true)
        {
            switch (source.ReadLength())
            {
                case 0:
                    return;
                case 1 or 2:
                    source.ReadLength();
                    break;
                case 3:
                    source.Take(sizeof(float));
                    break;
                case 4:
                    source.Take(sizeof(double));
                    break;
                case 5:
                    source.ReadString(scratch);
                    break;
                default:
                    throw source.Wrong("A module's data is damaged");
            }
        }
    }
}
