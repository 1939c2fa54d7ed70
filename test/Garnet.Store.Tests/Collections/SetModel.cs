// A reference model of a set: a list in Valkey's order, and the encoding by Valkey's rules. For tests.

namespace Garnet.Store.Tests.Collections;

/// <summary>The simplest set.</summary>
internal sealed class SetModel
{
    private readonly HashSet<byte[]> _members = new(ByteArrayComparer.Instance);

    public List<byte[]> Members { get; } = [];

    public string Encoding { get; private set; } = "";

    public bool Contains(byte[] member) => _members.Contains(member);

    public bool Add(byte[] member)
    {
        bool isInteger = IsInteger(member, out long integer);
        if (Members.Count == 0)
            Encoding = isInteger ? "intset" : "listpack";

        if (!_members.Add(member))
            return false;

        if (Encoding == "intset" && isInteger)
        {
            int index = Members.FindIndex(each => IsInteger(each, out long there) && there > integer);
            Members.Insert(index < 0 ? Members.Count : index, member);
            if (Members.Count > 512)
                Encoding = "hashtable";

            return true;
        }

        if (Encoding != "hashtable")
            Encoding = Members.Count >= 128 || member.Length > 64 ? "hashtable" : "listpack";

        Members.Add(member);
        return true;
    }

    public bool Remove(byte[] member)
    {
        if (!_members.Remove(member))
            return false;

        Members.RemoveAt(Members.FindIndex(each => each.AsSpan().SequenceEqual(member)));
        return true;
    }

    private static bool IsInteger(byte[] member, out long integer) =>
        long.TryParse(System.Text.Encoding.ASCII.GetString(member), System.Globalization.NumberStyles.AllowLeadingSign, null, out integer)
        && integer.ToString() == System.Text.Encoding.ASCII.GetString(member);
}
