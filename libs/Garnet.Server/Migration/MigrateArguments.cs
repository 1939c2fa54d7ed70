// host port key|"" destination-db timeout [COPY] [REPLACE] [AUTH password | AUTH2 username password] [KEYS key [key ...]]. Immutable.
using System.Globalization;
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Server.Migration;

/// <summary>The arguments of MIGRATE.</summary>
/// <param name="Target">The target.</param>
/// <param name="Database">The target's database.</param>
/// <param name="TimeoutMs">How long the target may be silent.</param>
/// <param name="Copies">Whether the keys stay here.</param>
/// <param name="Replaces">Whether keys of the target are replaced.</param>
/// <param name="FirstKey">Argument index of the first key.</param>
/// <param name="Keys">Number of keys.</param>
internal sealed record MigrateArguments(
    MigrationTarget Target,
    long Database,
    int TimeoutMs,
    bool Copies,
    bool Replaces,
    int FirstKey,
    int Keys
)
{
    private const int Host = 1;
    private const int Port = 2;
    private const int Key = 3;
    private const int DatabaseArgument = 4;
    private const int Timeout = 5;
    private const int Options = 6;
    private const int DefaultTimeoutMs = 1000;

    /// <summary>Parses a request; writes Valkey's error and returns null if it is invalid.</summary>
    public static MigrateArguments? TryParse(ref CommandContext context)
    {
        bool copies = false;
        bool replaces = false;
        string? user = null;
        string? password = null;
        (int firstKey, int keys) = (Key, 1);
        for (int i = Options; i < context.Count; i++)
        {
            int more = context.Count - 1 - i;
            if (context.Is(i, "COPY"u8))
            {
                copies = true;
            }
            else if (context.Is(i, "REPLACE"u8))
            {
                replaces = true;
            }
            else if (context.Is(i, "AUTH"u8) && more >= 1)
            {
                password = Text(context[++i]);
            }
            else if (context.Is(i, "AUTH2"u8) && more >= 2)
            {
                user = Text(context[++i]);
                password = Text(context[++i]);
            }
            else if (context.Is(i, "KEYS"u8))
            {
                if (!context[Key].IsEmpty)
                {
                    context.Reply.WriteError("ERR When using MIGRATE KEYS option, the key argument must be set to the empty string"u8);
                    return null;
                }

                (firstKey, keys) = (i + 1, more);
                break;
            }
            else
            {
                context.Reply.WriteError(ErrorText.Syntax);
                return null;
            }
        }

        if (!context.TryGetInteger(Timeout, out long timeout) || !context.TryGetInteger(DatabaseArgument, out long database))
            return null;
        int timeoutMs = timeout <= 0 ? DefaultTimeoutMs : (int)Math.Min(timeout, int.MaxValue);
        MigrationTarget target = new(Text(context[Host]), PortOf(context[Port]), user, password);
        return new MigrateArguments(target, database, timeoutMs, copies, replaces, firstKey, keys);
    }

    /// <summary>Adds the keys of a call; see <see cref="KeyFinder"/>.</summary>
    public static bool FindKeys(in CommandContext context, int offset, List<KeyPosition> keys)
    {
        const KeySpecFlags flags = KeySpecFlags.RW | KeySpecFlags.Access | KeySpecFlags.Delete;
        int count = context.Count - offset;
        int word = FindKeyword(in context, offset);
        if (word < 0)
        {
            keys.Add(new KeyPosition(Key, flags));
            return true;
        }

        // With a key before the keyword the call is refused.
        for (int i = word + 1; i < count && context[offset + Key].IsEmpty; i++)
            keys.Add(new KeyPosition(i, flags));
        return true;
    }

    /// <summary>Whether an argument is a password or the name of the user with that password.</summary>
    public static bool IsSecret(ref CommandContext context, int argument)
    {
        for (int i = Options; i < argument && !context.Is(i, "KEYS"u8); i++)
        {
            int secrets = SecretsAfter(in context, i);
            if (argument <= i + secrets)
                return true;
            i += secrets;
        }

        return false;
    }

    // Relative to the command's name; -1 when the keyword is absent.
    private static int FindKeyword(in CommandContext context, int offset)
    {
        for (int i = Options; offset + i < context.Count; i++)
        {
            if (context.Is(offset + i, "KEYS"u8))
                return i;
            i += SecretsAfter(in context, offset + i);
        }

        return -1;
    }

    private static int SecretsAfter(in CommandContext context, int index) =>
        context.Is(index, "AUTH"u8) ? 1
        : context.Is(index, "AUTH2"u8) ? 2
        : 0;

    private static string Text(ReadOnlySpan<byte> argument) => Encoding.Latin1.GetString(argument);

    private static int PortOf(ReadOnlySpan<byte> argument) =>
        int.TryParse(argument, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port <= ushort.MaxValue ? port : -1;
}
