// The items of data written by modules. Stateless; any thread.
namespace Garnet.Persistence.Rdb;

/// <summary>Tags of items, and skipping what belongs to no key.</summary>
internal static class RdbModule
{
    /// <summary>Tag after the last item.</summary>
    public const int End = 0;

    /// <summary>Tag of a signed integer, written as a length.</summary>
    public const int Signed = 1;

    /// <summary>Tag of an unsigned integer, written as a length.</summary>
    public const int Unsigned = 2;

    /// <summary>Tag of a binary32 number.</summary>
    public const int Float = 3;

    /// <summary>Tag of a binary64 number.</summary>
    public const int Double = 4;

    /// <summary>Tag of a string.</summary>
    public const int String = 5;

    /// <summary>Skips tagged items up to and including the end tag.</summary>
    public static void SkipItems(ref RdbSource source, RdbScratch scratch)
    {
        while (true)
        {
            switch (source.ReadLength())
            {
                case End:
                    return;
                case Signed or Unsigned:
                    source.ReadLength();
                    break;
                case Float:
                    source.Take(sizeof(float));
                    break;
                case Double:
                    source.Take(sizeof(double));
                    break;
                case String:
                    source.ReadString(scratch);
                    break;
                default:
                    throw source.Wrong("A module's data is damaged");
            }
        }
    }
}
