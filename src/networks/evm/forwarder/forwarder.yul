// The address that a buyer pays to. Money that arrives here can go only to the payout wallet.
//
// Compiler: solc 0.8.30+commit.73712a01, language Yul, optimizer enabled with 200 runs, EVM version paris:
//   solc --strict-assembly --optimize --optimize-runs 200 --evm-version paris --bin forwarder.yul
// The result has no metadata. It is frozen in forwarder.ts: every address ever allocated is derived from its bytes.
//
// Init code = these bytes ++ the 20 bytes of the payout wallet. Nothing else varies, so an address follows
// from the payout wallet and the salt alone, on every chain. The wallet is the end of the deployed code, and
// read from there: no storage, no owner, no upgrade, no selfdestruct, no chain id, no opcode that is newer
// than Istanbul.
//
// The deployed code understands three calls:
//   no calldata                    a payment, taken within the 2300 gas of a plain transfer
//   32 bytes of zeros              flushes the whole balance of the native coin
//   12 zeros and a token's address flushes the whole balance of that token
// Other calldata is refused, except for a payment with a memo: its coins are accepted, as they would have
// been before the code was deployed.
object "Forwarder" {
  code {
    let size := add(datasize("Runtime"), 20)
    codecopy(0, dataoffset("Runtime"), size)
    return(0, size)
  }
  object "Runtime" {
    code {
      if iszero(calldatasize()) { stop() }
      let token := calldataload(0)
      if or(xor(calldatasize(), 32), shr(160, token)) {
        if callvalue() { stop() }
        revert(0, 0)
      }
      codecopy(12, sub(codesize(), 20), 20)
      let payout := mload(0)

      if iszero(token) {
        // The log reports what left, so that a payment is detected even if it was flushed before it was
        // deep enough: all that ever arrived = the balance + the sum of the logs.
        let amount := selfbalance()
        mstore(0, amount)
        log0(0, 32)
        if iszero(call(gas(), payout, amount, 0, 0, 0, 0)) { revert(0, 0) }
        stop()
      }

      // balanceOf(this). An address without code returns nothing, so the call reverts here.
      mstore(0, shl(224, 0x70a08231))
      mstore(4, address())
      let read := staticcall(gas(), token, 0, 36, 36, 32)
      if iszero(and(read, gt(returndatasize(), 31))) { revert(0, 0) }

      // transfer(payout, balance): the balance is in memory already. The result goes to memory that is still
      // zero, so a result shorter than a word cannot read as true. USDT returns nothing, taken as true.
      mstore(0, shl(224, 0xa9059cbb))
      mstore(4, payout)
      let sent := call(gas(), token, 0, 0, 68, 96, 32)
      if iszero(and(sent, or(iszero(returndatasize()), eq(mload(96), 1)))) { revert(0, 0) }
    }
  }
}

// Reentrancy is harmless: the code keeps no state, and every path of it pays the payout wallet. A token that
// calls back, or a payout wallet that does, can only start another flush to the same wallet. No result is
// copied beyond 32 bytes, so a long result costs nothing here. A flush of nothing succeeds if the token
// allows a transfer of zero.
