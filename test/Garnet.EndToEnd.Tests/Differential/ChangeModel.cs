// A copy of a server's data, kept up to date only by change notifications. One test's thread.
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Store.Changes;
using Garnet.Testing;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>
/// Which keys exist follows from the kinds of changes; a key's content is read again only after a notification. If the store omits a
/// notification, or sends one of the wrong kind, this copy differs from the server.
/// </summary>
internal sealed partial class ChangeModel(ChangeTape tape, RespExchange client)
{
    private const int Databases = 16;
    private readonly Dictionary<string, string>[] _data =
    [
        .. Enumerable.Range(0, Databases).Select(static _ => new Dictionary<string, string>(StringComparer.Ordinal)),
    ];

    /// <summary>Notifications that contradict the model: a key created twice, or changed or removed while absent.</summary>
    public List<string> Contradictions { get; } = [];

    /// <summary>Applies the notifications since the last call; reading keys may expire more of them.</summary>
    public void Follow()
    {
        for (List<(KeyChangeKind Kind, int Database, string Key)> changes = tape.Take(); changes.Count > 0; changes = tape.Take())
        {
            var changed = new HashSet<(int Database, string Key)>();
            foreach ((KeyChangeKind kind, int database, string key) in changes)
                Apply(kind, database, key, changed);
            foreach ((int database, string key) in changed.Where(each => _data[each.Database].ContainsKey(each.Key)))
                _data[database][key] = Read(database, key);
        }
    }

    /// <summary>The differences between the server and the model, in both directions.</summary>
    public List<string> Compare()
    {
        Follow();
        var differences = new List<string>(Contradictions);
        for (int database = 0; database < Databases; database++)
        {
            HashSet<string> live = Keys(database);
            foreach (string gone in _data[database].Keys.Except(live).ToList())
            {
                // Expired and not yet removed: the next command that accesses the key removes it and notifies.
                if (!client.Execute(["DEL"u8.ToArray(), Encoding.Latin1.GetBytes(gone)])!.AsSpan().SequenceEqual(":0\r\n"u8))
                    differences.Add($"{database} {gone}: there, and not listed");
                Follow();
                if (_data[database].ContainsKey(gone))
                    differences.Add($"{database} {gone}: its removal was not announced");
            }

            // An expired field is hidden at once, but the notification comes when it is removed.
            HashSet<string> fading =
            [
                .. _data[database].Where(static each => FieldExpiry().IsMatch(each.Value)).Select(static each => each.Key),
            ];
            differences.AddRange(live.Except(_data[database].Keys).Select(key => $"{database} {key}: its creation was not announced"));
            differences.AddRange(
                live.Except(fading)
                    .Where(key => _data[database].TryGetValue(key, out string? known) && known != Read(database, key))
                    .Select(key => $"{database} {key}: a change was not announced: was {_data[database][key]}, is {Read(database, key)}")
            );
        }

        return differences;
    }

    private void Apply(KeyChangeKind kind, int database, string key, HashSet<(int Database, string Key)> changed)
    {
        if (kind == KeyChangeKind.None)
        {
            if (key.Length == 0)
            {
                _data[database].Clear();
                return;
            }

            int other = int.Parse(key.AsSpan(key.LastIndexOf(' ') + 1), CultureInfo.InvariantCulture);
            (_data[database], _data[other]) = (_data[other], _data[database]);

            // Changes notified before the swap are read after it.
            List<(int Database, string Key)> moved = [.. changed.Where(each => each.Database == database || each.Database == other)];
            changed.ExceptWith(moved);
            changed.UnionWith(moved.Select(each => (each.Database == database ? other : database, each.Key)));
            return;
        }

        // Besides the changes that follow from it.
        if (kind is KeyChangeKind.FieldsExpired or KeyChangeKind.LastFieldExpired)
            return;
        bool isKnown = _data[database].ContainsKey(key);
        if (isKnown == (kind == KeyChangeKind.Created))
            Contradictions.Add($"{database} {key}: {kind}, while it is {(isKnown ? "" : "not ")}there");
        if (kind.IsRemoval())
        {
            _data[database].Remove(key);
        }
        else
        {
            _data[database].TryAdd(key, "");
            changed.Add((database, key));
        }
    }

    private HashSet<string> Keys(int database)
    {
        client.ExecuteText("SELECT", $"{database}");
        return [.. RespNode.Parse(client.Execute("KEYS", "*")!).Children!.Select(static key => key.Text)];
    }

    private string Read(int database, string key)
    {
        byte[] name = Encoding.Latin1.GetBytes(key);
        client.ExecuteText("SELECT", $"{database}");
        return DataListing.Describe(client, name);
    }

    [GeneratedRegex(@" expiries .*:\d")]
    private static partial Regex FieldExpiry();
}
